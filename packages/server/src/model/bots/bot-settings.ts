import { type Outbound, OutboundError } from '@bellhop/http/outbound';
import { badRequest, type BotType, missingParameter } from '@bellhop/protocol';
import { deliveryFaults } from '@bellhop/protocol/contract';

import type { Db } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';
import { noSuchChannel } from '../channels/channel-address.ts';
import { visibleChannel } from '../channels/readable-channels.ts';
import type { NewBot } from './create-bot.ts';

const OUTGOING_WEBHOOK = 3;

interface WebhookParams {
  readonly bot_type: BotType;
  readonly payload_url?: string | undefined;
  readonly interface_type: number;
  readonly service_name?: string | undefined;
}

/** The checked webhook settings of an outgoing webhook bot; undefined for other bots. Throws BAD_REQUEST. */
export function webhookOf(params: WebhookParams, outbound: Outbound): NewBot['webhook'] {
  const { payload_url, service_name } = params;
  const interface_type = checkInterface(params.interface_type);
  if (params.bot_type !== OUTGOING_WEBHOOK) return undefined;
  if (payload_url === undefined || payload_url === '')
    throw missingParameter('payload_url', ': an outgoing webhook bot needs an address.');
  if (service_name !== undefined && service_name.length > 100)
    throw badRequest('service_name is longer than 100 characters.');
  checkWebhookUrl('payload_url', payload_url, outbound);
  return { payload_url, interface_type, ...(service_name ? { service_name } : {}) };
}

/** Throws BAD_REQUEST for an unknown interface. */
export function checkInterface(number: number): 1 | 2 {
  if (number !== 1 && number !== 2)
    throw badRequest('Invalid interface type: 1 is generic, 2 is Slack-compatible.');
  return number;
}

/** Throws BAD_REQUEST for a URL that webhooks may not have. */
export function checkWebhookUrl(name: string, url: string, outbound: Outbound): void {
  try {
    outbound.checkUrl(url);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    throw badRequest(`${name}: ${error.safeMessage}${remedyOf(error, url)}`, { var_name: name });
  }
}

/** Who tries a bot on one machine meets these refusals first, and can often lift them. */
function remedyOf(error: OutboundError, url: string): string {
  if (error.safeMessage === deliveryFaults.address_forbidden.forConversation({}))
    return ' The operator permits private networks by BELLHOP_WEBHOOK_ALLOW.';
  return /^https?:/i.test(url) ? '' : ' It begins with https:// or http://.';
}

/** The default channel of a bot. Throws STREAM_DOES_NOT_EXIST if the user may not read it. */
export async function channelNamed(db: Db, user: User, name: string | undefined) {
  if (name === undefined || name.trim() === '') return undefined;
  const address = { name: name.trim() };
  const channel = await visibleChannel(db, user, { ...address, id: null });
  if (!channel?.is_readable) throw noSuchChannel(address);
  return channel;
}

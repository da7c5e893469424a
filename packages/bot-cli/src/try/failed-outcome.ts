import { setTimeout as sleep } from 'node:timers/promises';

import type { UserId } from '@bellhop/protocol';

import type { OwnBot } from '../bot/deliveries/logins.ts';
import { terminalLine } from '../command-line/terminal-text.ts';

interface SentMessage {
  readonly bot: UserId;
  readonly message_id: number;
  readonly signal: AbortSignal;
}

const LOOK_MS = 300;
/** How long a bot whose webhook has answered without a reply may take to send one by REST. */
const LATE_MS = 5000;

/**
 * The outcome of a message to a bot without a reply to wait for. Undefined if the reply was sent,
 * the bot has no webhook or another owner, or the signal ended the wait while the server still retries.
 */
export async function failedOutcome(
  bots: readonly OwnBot[],
  { bot, message_id, signal }: SentMessage,
): Promise<string | undefined> {
  const own = bots.find(({ bot_id }) => bot_id === bot);
  if (!own) return undefined;
  const find = async () => {
    const { deliveries } = await own.client.botDeliveries.list({ bot_id: bot });
    return deliveries.find((delivery) => delivery.message_id === message_id);
  };
  let delivery = await find();
  while (!signal.aborted && (!delivery || unfinished.includes(delivery.status))) {
    await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
    delivery = await find();
  }
  if (!delivery || delivery.reply.outcome === 'sent') return undefined;
  const { status, verdict, error_code, id } = delivery;
  const isSilent = status === 'delivered' && error_code === null;
  if (isSilent) await sleep(LATE_MS, undefined, { signal }).catch(() => undefined);
  const end = verdict.endsWith('?') ? '' : '.';
  return terminalLine(
    `${own.name} has not replied: ${status}, ${verdict}${end} More: npx bellhop bot deliveries ${id}`,
  );
}

const unfinished: readonly string[] = ['pending', 'running', 'retrying'];

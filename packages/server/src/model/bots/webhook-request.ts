import { createHmac } from 'node:crypto';

import type { SlackWebhookPayload, WebhookPayload } from '@bellhop/protocol';

import type { User } from '../../engine/caller.ts';
import { unescapeHtml } from '../../markdown/escape-html.ts';
import { messageForClient } from '../messages/message-record.ts';
import { apiEmail } from '../users/user-record.ts';
import type { LoadedDelivery } from './load-delivery.ts';

/** The request that is posted to a webhook. */
export interface WebhookRequest {
  readonly body: string;
  readonly contentType: string;
}

/**
 * The generic form (spec, Outgoing webhook payload): the message with raw Markdown as `content` and
 * HTML as `rendered_content`; an empty topic stays empty; a direct message lists all participants.
 */
function genericRequest(delivery: LoadedDelivery, token: string): WebhookRequest {
  const { realm, bot, trigger, change } = delivery;
  const message = messageForClient(delivery.message, {
    apply_markdown: false,
    client_gravatar: false,
    allow_empty_topic_name: true,
  });
  const payload: WebhookPayload = {
    bot_email: apiEmail(bot, realm),
    bot_full_name: mentionedName(delivery.message.rendered_content, bot) ?? bot.full_name,
    data: message.content,
    trigger,
    token,
    message: { ...message, rendered_content: delivery.message.rendered_content, flags: [] },
    ...(change ? { change } : {}),
  };
  return { body: JSON.stringify(payload), contentType: 'application/json' };
}

/**
 * The name by which a message mentions the bot. Bots cut the mention of this name off the text, so it
 * is the earlier one if the bot was renamed after the message was sent.
 */
function mentionedName(html: string, { id }: User): string | undefined {
  const mention = new RegExp(
    `<span class="user-mention(?: silent)?" data-user-id="${id}">@?([^<]*)</span>`,
  );
  const name = mention.exec(html)?.[1];
  return name === undefined ? undefined : unescapeHtml(name);
}

/** The request in the form of the bot's interface. */
export const requestOf = (delivery: LoadedDelivery, token: string): WebhookRequest =>
  (delivery.service.interface === 2 ? slackRequest(delivery, token) : undefined) ??
  genericRequest(delivery, token);

/** The Slack-compatible form of a channel message; undefined for a direct message. */
function slackRequest(delivery: LoadedDelivery, token: string): WebhookRequest | undefined {
  const { realm, bot, trigger, message, conversation } = delivery;
  if (!('channel' in conversation)) return undefined;
  const payload: SlackWebhookPayload = {
    token,
    team_id: `T${realm.id}`,
    team_domain: new URL(realm.url).host,
    channel_id: `C${conversation.channel.id}`,
    channel_name: conversation.channel.name,
    thread_ts: String(message.timestamp),
    timestamp: String(message.timestamp),
    user_id: `U${message.sender_id}`,
    user_name: message.sender_full_name,
    text: message.content,
    trigger_word: trigger,
    service_id: String(bot.id),
  };
  const form = new URLSearchParams(Object.entries(payload));
  return { body: form.toString(), contentType: 'application/x-www-form-urlencoded' };
}

interface SignedDelivery {
  /** The delivery id, the same in all attempts; receivers deduplicate by it. */
  readonly id: string;
  /** UNIX time in seconds. */
  readonly timestamp: number;
  readonly body: string;
}

/**
 * The headers of Standard Webhooks 1.0.0: `webhook-id`, `webhook-timestamp`, and as
 * `webhook-signature` `v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`. The key is the
 * bot's token, its 32 characters as bytes; Standard Webhooks libraries take it as the secret
 * `whsec_` + base64(token).
 */
export function signatureHeaders(token: string, { id, timestamp, body }: SignedDelivery) {
  const signature = createHmac('sha256', token).update(`${id}.${timestamp}.${body}`);
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${signature.digest('base64')}`,
  };
}

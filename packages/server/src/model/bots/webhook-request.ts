import { createHmac } from 'node:crypto';

import { genericPayload, MASK, parseJson, slackPayload, stringifyJson } from '@bellhop/protocol';

import { messageForClient } from '../messages/message-record.ts';
import { apiEmail } from '../users/user-record.ts';
import type { LoadedDelivery } from './load-delivery.ts';

/** The request that is posted to a webhook. It is kept without the token, which is put in at sending. */
export interface WebhookRequest {
  readonly body: (token: string) => string;
  readonly contentType: string;
}

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

/**
 * The generic form (spec, Outgoing webhook payload): the message with raw Markdown as `content` and
 * HTML as `rendered_content`; an empty topic stays empty; a direct message lists all participants.
 */
function genericRequest(delivery: LoadedDelivery): WebhookRequest {
  const { realm, bot, trigger, change } = delivery;
  const message = messageForClient(delivery.message, {
    apply_markdown: false,
    client_gravatar: false,
    allow_empty_topic_name: true,
  });
  const { rendered_content } = delivery.message;
  const { id, full_name } = bot;
  const told = { bot: { id, full_name, email: apiEmail(bot, realm) }, trigger, message, change };
  const payload = (token: string) => genericPayload({ ...told, rendered_content, token });
  return { body: (token) => JSON.stringify(payload(token)), contentType: JSON_TYPE };
}

/** The request in the form of the bot's interface. */
export const requestOf = (delivery: LoadedDelivery): WebhookRequest =>
  (delivery.service.interface === 2 ? slackRequest(delivery) : undefined) ??
  genericRequest(delivery);

/**
 * The request of a stored payload, or one that a client gives: JSON or a form whose token, if it is
 * masked, is replaced by the token. Another text is sent as it is. Masks at other places stay.
 */
export function storedRequest(text: string, interfaceType: number): WebhookRequest {
  const json = objectIn(text);
  if (json?.['token'] === MASK)
    return { body: (token) => stringifyJson({ ...json, token }), contentType: JSON_TYPE };
  const form = new URLSearchParams(text);
  if (!json && form.get('token') === MASK)
    return {
      body(token) {
        const filled = new URLSearchParams();
        for (const [name, value] of form)
          filled.append(name, name === 'token' && value === MASK ? token : value);
        return filled.toString();
      },
      contentType: FORM_TYPE,
    };
  return { body: () => text, contentType: interfaceType === 2 ? FORM_TYPE : JSON_TYPE };
}

function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value = parseJson(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    // JSON can be read that is too deep to be written.
    if (isObject) stringifyJson(value);
    return isObject ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}

/** The Slack-compatible form of a channel message; undefined for a direct message. */
function slackRequest(delivery: LoadedDelivery): WebhookRequest | undefined {
  const { realm, bot, trigger, message, conversation } = delivery;
  if (!('channel' in conversation)) return undefined;
  const { timestamp, content, sender_id, sender_full_name } = message;
  const told = {
    trigger,
    bot,
    realm: { id: realm.id, host: new URL(realm.url).host },
    channel: conversation.channel,
    sender: { id: sender_id, full_name: sender_full_name },
    timestamp,
    content,
  };
  const payload = (token: string) => slackPayload({ ...told, token });
  const form = (token: string) => new URLSearchParams(Object.entries(payload(token)));
  return { body: (token) => form(token).toString(), contentType: FORM_TYPE };
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

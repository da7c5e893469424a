import type { ChannelId, MessageId, ReceivedWebhook, UserId } from '@bellhop/protocol';
import { receivedSlackWebhook, receivedWebhook } from '@bellhop/protocol/plain';

/** Why the bot gets a message. Servers before feature level 201 send `private_message`. */
export type Trigger = ReceivedWebhook['trigger'];

export interface Person {
  readonly id: UserId;
  /** Empty in the Slack-compatible form. */
  readonly email: string;
  readonly full_name: string;
}

interface AnyMessage {
  /** 0 in the Slack-compatible form. */
  readonly id: MessageId;
  /** Raw Markdown, with the mention of the bot. */
  readonly content: string;
  /** HTML, as the server shows it. */
  readonly rendered_content: string;
  readonly sender: Person;
  /** Seconds since 1970. */
  readonly timestamp: number;
}

/** A message in a channel. */
export interface ChannelMessage extends AnyMessage {
  readonly channel: { readonly id: ChannelId; readonly name: string };
  readonly topic: string;
}

/** A message sent to the bot. */
export interface DirectMessage extends AnyMessage {
  /** Everybody in the conversation, the sender and the bot included. */
  readonly recipients: readonly Person[];
}

interface AnyDelivery {
  readonly bot_email: string;
  readonly bot_full_name: string;
}

/** A message for a bot; a mention and a follow-up are in a channel, a direct message has recipients. */
export type Delivery =
  | (AnyDelivery & { readonly trigger: 'mention' | 'follow_up'; readonly message: ChannelMessage })
  | (AnyDelivery & { readonly trigger: 'direct_message'; readonly message: DirectMessage });

/** A delivery with the token that came with it. */
export interface Received {
  readonly delivery: Delivery;
  readonly token: string;
}

/** Reads a webhook payload (spec, Outgoing webhook payload); undefined when it is not one. */
export function readDelivery(body: unknown): Received | undefined {
  const payload = receivedWebhook(body);
  if (payload === undefined) return undefined;
  const { bot_email, bot_full_name, token, trigger, message } = payload;
  const said: AnyMessage = {
    id: message.id,
    content: message.content,
    rendered_content: message.rendered_content,
    sender: {
      id: message.sender_id,
      email: message.sender_email,
      full_name: message.sender_full_name,
    },
    timestamp: message.timestamp,
  };
  const { stream_id, display_recipient: place, subject } = message;
  if (trigger === 'direct_message') {
    if (typeof place === 'string') return undefined;
    const direct = { ...said, recipients: place };
    return { token, delivery: { bot_email, bot_full_name, trigger, message: direct } };
  }
  if (typeof place !== 'string' || stream_id === undefined) return undefined;
  const channel = { id: stream_id, name: place };
  const inChannel = { ...said, channel, topic: subject };
  return { token, delivery: { bot_email, bot_full_name, trigger, message: inChannel } };
}

/** Reads the Slack-compatible form, which has no bot, no topic and no message id. */
export function readSlackDelivery(fields: unknown): Received | undefined {
  const form = receivedSlackWebhook(fields);
  if (form === undefined) return undefined;
  const message: ChannelMessage = {
    id: 0 as MessageId,
    content: form.text,
    rendered_content: '',
    sender: { id: idIn(form.user_id) as UserId, email: '', full_name: form.user_name },
    timestamp: Number(form.timestamp),
    channel: { id: idIn(form.channel_id) as ChannelId, name: form.channel_name },
    topic: '',
  };
  const delivery: Delivery = { bot_email: '', bot_full_name: '', trigger: 'mention', message };
  return { token: form.token, delivery };
}

const idIn = (prefixed: string) => Number(prefixed.slice(1));

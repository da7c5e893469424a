import type { ChannelId, MessageId, ReceivedWebhook, UserId } from '@bellhop/protocol';
import { receivedSlackWebhook, receivedWebhook } from '@bellhop/protocol/plain';

/** Why the bot gets a message. Servers before feature level 201 send `private_message`. */
export type Trigger = ReceivedWebhook['trigger'];

export interface Person {
  readonly id: UserId;
  /** Empty in the Slack-compatible form. */
  readonly email: string;
  readonly fullName: string;
}

interface AnyMessage {
  /** 0 in the Slack-compatible form. */
  readonly id: MessageId;
  /** Raw Markdown, with the mention of the bot. */
  readonly content: string;
  /** HTML, as the server shows it. */
  readonly renderedContent: string;
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
  readonly botEmail: string;
  readonly botFullName: string;
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
  const { bot_email: botEmail, bot_full_name: botFullName, token, trigger, message } = payload;
  const said: AnyMessage = {
    id: message.id,
    content: message.content,
    renderedContent: message.rendered_content,
    sender: {
      id: message.sender_id,
      email: message.sender_email,
      fullName: message.sender_full_name,
    },
    timestamp: message.timestamp,
  };
  const { stream_id, display_recipient: place, subject } = message;
  if (trigger === 'direct_message') {
    if (typeof place === 'string') return undefined;
    const direct = { ...said, recipients: place.map(personOf) };
    return { token, delivery: { botEmail, botFullName, trigger, message: direct } };
  }
  if (typeof place !== 'string' || stream_id === undefined) return undefined;
  const channel = { id: stream_id, name: place };
  const inChannel = { ...said, channel, topic: subject };
  return { token, delivery: { botEmail, botFullName, trigger, message: inChannel } };
}

/** Reads the Slack-compatible form, which has no bot, no topic and no message id. */
export function readSlackDelivery(fields: unknown): Received | undefined {
  const form = receivedSlackWebhook(fields);
  if (form === undefined) return undefined;
  const message: ChannelMessage = {
    id: 0 as MessageId,
    content: form.text,
    renderedContent: '',
    sender: { id: idIn(form.user_id) as UserId, email: '', fullName: form.user_name },
    timestamp: Number(form.timestamp),
    channel: { id: idIn(form.channel_id) as ChannelId, name: form.channel_name },
    topic: '',
  };
  const delivery: Delivery = { botEmail: '', botFullName: '', trigger: 'mention', message };
  return { token: form.token, delivery };
}

/** A user as the recipients of a direct message name them on the wire. */
export const personOf = ({ id, email, full_name }: WirePerson): Person => ({
  id,
  email,
  fullName: full_name,
});

interface WirePerson {
  readonly id: UserId;
  readonly email: string;
  readonly full_name: string;
}

const idIn = (prefixed: string) => Number(prefixed.slice(1));

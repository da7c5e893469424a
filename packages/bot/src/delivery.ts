import type { ChannelId, MessageId, ReceivedWebhook, UserId } from '@bellhop/protocol';
import { receivedSlackWebhook, receivedWebhook } from '@bellhop/protocol/plain';

/** Why the bot gets a message. Servers before feature level 201 send `private_message`. */
export type Trigger = 'mention' | 'direct_message' | 'follow_up' | ChangeTrigger;
/** The kinds of changes to an earlier message. */
export type ChangeTrigger = 'reaction' | 'edit' | 'delete';

export interface Person {
  readonly id: UserId;
  /** Empty in the Slack-compatible form. */
  readonly email: string;
  readonly fullName: string;
}

/** The fields of every message. */
export interface AnyMessage {
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
  /** Undefined if the payload does not have it. */
  readonly botUserId?: UserId | undefined;
}

/** An emoji that a person added to a message or removed from it. */
export interface Reaction {
  /** The name of the emoji, without colons: `tada`. */
  readonly emoji: string;
  /** Hexadecimal code points joined by dashes, or the ID of an emoji of the organization. */
  readonly code: string;
  readonly isRemoved: boolean;
}

/** A change to the message of a delivery. */
export interface MessageChange {
  /** The same in each repeat of the delivery, and in no other delivery. */
  readonly id: string;
  /** The person who reacted or edited; undefined for a deletion. */
  readonly by: Person | undefined;
  readonly reaction?: Reaction | undefined;
  /** The content before the edit. */
  readonly earlierContent?: string | undefined;
}

/**
 * A message for a bot; a mention and a follow-up are in a channel, a direct message has recipients. With
 * `change`, something happened to the message; a deleted message has no content.
 */
export type Delivery =
  | (AnyDelivery & {
      readonly trigger: 'mention' | 'follow_up';
      readonly message: ChannelMessage;
      readonly change?: undefined;
    })
  | (AnyDelivery & {
      readonly trigger: 'direct_message';
      readonly message: DirectMessage;
      readonly change?: undefined;
    })
  | ChangeDelivery;

/** Something happened to a message. */
export interface ChangeDelivery extends AnyDelivery {
  readonly trigger: ChangeTrigger;
  readonly message: ChannelMessage | DirectMessage;
  readonly change: MessageChange;
}

/** The person who caused a delivery; for a deletion the sender of the deleted message. */
export const actorOf = ({ change, message }: Delivery): Person => change?.by ?? message.sender;

/** Whether a message is addressed to the bot, so that its sender expects a reply. */
export const isAddressed = ({ trigger }: Pick<Delivery, 'trigger'>): boolean =>
  trigger === 'mention' || trigger === 'direct_message';

/** A delivery with the token that came with it. */
export interface Received {
  readonly delivery: Delivery;
  readonly token: string;
}

/** A delivery of a newer server, with a trigger that this version does not know. */
export interface ReceivedUnknown {
  readonly delivery: {
    readonly botEmail: string;
    readonly trigger: 'unknown';
    /** The trigger as the server sent it. */
    readonly sentTrigger: string;
  };
  readonly token: string;
}

/** Reads a webhook payload (spec, Outgoing webhook payload); undefined when it is not one. */
export function readDelivery(body: unknown): Received | undefined {
  const payload = receivedWebhook(body);
  if (payload === undefined) return undefined;
  const { token, trigger, message } = payload;
  const bot = botOf(payload);
  const said: AnyMessage = {
    id: message.id,
    // A message as clients get it has HTML in `content`; `data` is always Markdown.
    content: message.content_type === 'text/html' ? payload.data : message.content,
    renderedContent: message.rendered_content,
    sender: {
      id: message.sender_id,
      email: message.sender_email,
      fullName: message.sender_full_name,
    },
    timestamp: message.timestamp,
  };
  const { stream_id, display_recipient: place, subject } = message;
  if (typeof place !== 'string') {
    const direct = { ...said, recipients: place.map(personOf) };
    if (trigger === 'direct_message')
      return { token, delivery: { ...bot, trigger, message: direct } };
    return withChange(payload, { ...bot, message: direct });
  }
  if (trigger === 'direct_message' || stream_id === undefined) return undefined;
  const inChannel = { ...said, channel: { id: stream_id, name: place }, topic: subject };
  if (trigger === 'mention' || trigger === 'follow_up')
    return { token, delivery: { ...bot, trigger, message: inChannel } };
  return withChange(payload, { ...bot, message: inChannel });
}

/** The bot of a payload. The recipients of a direct message have its ID. */
function botOf({ bot_email, bot_full_name, message }: ReceivedWebhook): AnyDelivery {
  const { display_recipient: place } = message;
  const botUserId = typeof place === 'string' ? undefined : idOf(bot_email, place);
  return { botEmail: bot_email, botFullName: bot_full_name, botUserId };
}

const idOf = (botEmail: string, recipients: readonly WirePerson[]): UserId | undefined =>
  recipients.find(({ email }) => email.toLowerCase() === botEmail.toLowerCase())?.id;

const knownTriggers: Readonly<Record<Trigger | 'private_message', true>> = {
  mention: true,
  direct_message: true,
  private_message: true,
  follow_up: true,
  reaction: true,
  edit: true,
  delete: true,
};

/** Reads who a payload with an unknown trigger is for; undefined if it is not one. */
export function readUnknownDelivery(body: unknown): ReceivedUnknown | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const { bot_email: botEmail, token, trigger } = body as Readonly<Record<string, unknown>>;
  if (typeof trigger !== 'string' || Object.hasOwn(knownTriggers, trigger)) return undefined;
  if (typeof botEmail !== 'string' || typeof token !== 'string') return undefined;
  return { token, delivery: { botEmail, trigger: 'unknown', sentTrigger: trigger } };
}

/** The store keeps the ID of a change in a key. */
const MAX_ID_LENGTH = 200;

function withChange(
  { token, trigger, change }: ReceivedWebhook,
  about: AnyDelivery & Pick<ChangeDelivery, 'message'>,
): Received | undefined {
  if (!isChange(trigger) || change === undefined) return undefined;
  const { id, user, op, emoji_name, emoji_code, orig_content: earlierContent } = change;
  if (id.length > MAX_ID_LENGTH || (user === undefined && trigger !== 'delete')) return undefined;
  const by = user && { id: user.user_id, email: user.email, fullName: user.full_name };
  const reaction =
    emoji_name === undefined
      ? undefined
      : { emoji: emoji_name, code: emoji_code ?? '', isRemoved: op === 'remove' };
  if (trigger === 'reaction' && reaction === undefined) return undefined;
  if (trigger === 'edit' && earlierContent === undefined) return undefined;
  return { token, delivery: { ...about, trigger, change: { id, by, reaction, earlierContent } } };
}

const isChange = (trigger: Trigger): trigger is ChangeTrigger =>
  trigger === 'reaction' || trigger === 'edit' || trigger === 'delete';

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

import {
  type ChannelId,
  type DisplayRecipient,
  type MessageId,
  type UserId,
  WebhookPayload,
} from '@bellhop/protocol';

/** Why the bot is told of a message. Servers before feature level 201 say `private_message`. */
export type Trigger = WebhookPayload['trigger'];

export interface Sender {
  readonly id: UserId;
  readonly email: string;
  readonly full_name: string;
}

interface AnyMessage {
  readonly id: MessageId;
  /** Raw Markdown, with the mention of the bot. */
  readonly content: string;
  /** HTML, as the server shows it. */
  readonly rendered_content: string;
  readonly sender: Sender;
  /** Seconds since 1970. */
  readonly timestamp: number;
}

/** A message that mentions the bot in a channel. */
export interface ChannelMessage extends AnyMessage {
  readonly channel: { readonly id: ChannelId; readonly name: string };
  readonly topic: string;
}

/** A message sent to the bot. */
export interface DirectMessage extends AnyMessage {
  /** Everybody in the conversation, the sender and the bot included. */
  readonly recipients: readonly DisplayRecipient[];
}

interface AnyDelivery {
  readonly bot_email: string;
  readonly bot_full_name: string;
  readonly token: string;
}

/** A webhook payload in which trigger and place agree. */
export type Delivery =
  | (AnyDelivery & { readonly trigger: 'mention'; readonly message: ChannelMessage })
  | (AnyDelivery & { readonly trigger: 'direct_message'; readonly message: DirectMessage });

/** Reads a webhook payload (spec, Outgoing webhook payload); undefined when it is not one. */
export function readDelivery(body: unknown): Delivery | undefined {
  const { success, data: payload } = WebhookPayload.safeParse(body);
  if (!success) return undefined;
  const { bot_email, bot_full_name, token, trigger, message } = payload;
  const about: AnyDelivery = { bot_email, bot_full_name, token };
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
    return { ...about, trigger, message: { ...said, recipients: place } };
  }
  if (typeof place !== 'string' || stream_id === undefined) return undefined;
  const channel = { id: stream_id, name: place };
  return { ...about, trigger, message: { ...said, channel, topic: subject } };
}

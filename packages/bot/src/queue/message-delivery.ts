import type { FetchedMessage, Message, MessageFlag } from '@bellhop/protocol';

import {
  type ChangeTrigger,
  type ChannelMessage,
  type Delivery,
  type DirectMessage,
  type Person,
  personOf,
  type Trigger,
} from '../delivery.ts';

/** A message from an event or a fetch, with the bot's flags. */
export interface ReceivedMessage {
  readonly message: Message | FetchedMessage;
  readonly flags: readonly MessageFlag[];
}

/** The trigger of the outgoing webhook for this message of a person; undefined if none would be sent. */
export function triggerOf({ message, flags }: ReceivedMessage): MessageTrigger | undefined {
  if (message.type === 'private') return 'direct_message';
  return flags.includes('mentioned') ? 'mention' : undefined;
}

export type MessageTrigger = Exclude<Trigger, ChangeTrigger>;

interface DeliveredMessage {
  readonly message: Message | FetchedMessage;
  readonly trigger: MessageTrigger;
  /** The HTML of the message. */
  readonly rendered: string;
}

/** A message as a delivery has it; undefined for a malformed one. */
export function messageOf(
  message: Message | FetchedMessage,
  renderedContent: string,
): ChannelMessage | DirectMessage | undefined {
  const { display_recipient: recipient, stream_id, subject: topic } = message;
  const common = {
    id: message.id,
    content: message.content,
    renderedContent,
    sender: {
      id: message.sender_id,
      email: message.sender_email,
      fullName: message.sender_full_name,
    },
    timestamp: message.timestamp,
  };
  if (typeof recipient !== 'string') return { ...common, recipients: recipient.map(personOf) };
  if (stream_id === undefined) return undefined;
  return { ...common, channel: { id: stream_id, name: recipient }, topic };
}

/** The bot of a delivery. */
export const receiverOf = ({ id, email, fullName }: Person) => ({
  botEmail: email,
  botFullName: fullName,
  botUserId: id,
});

/** The delivery that an outgoing webhook would make; undefined for a malformed message. */
export function deliveryOf(
  bot: Person,
  { message, trigger, rendered }: DeliveredMessage,
): Delivery | undefined {
  const receiver = receiverOf(bot);
  const said = messageOf(message, rendered);
  if (said === undefined) return undefined;
  if ('recipients' in said)
    return trigger === 'direct_message' ? { ...receiver, trigger, message: said } : undefined;
  return trigger === 'direct_message' ? undefined : { ...receiver, trigger, message: said };
}

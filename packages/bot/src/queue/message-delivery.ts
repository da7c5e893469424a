import type { FetchedMessage, Message, MessageFlag } from '@bellhop/protocol';

import { type Delivery, type Person, personOf, type Trigger } from '../delivery.ts';

/** A message from an event or a fetch, with the bot's flags. */
export interface ReceivedMessage {
  readonly message: Message | FetchedMessage;
  readonly flags: readonly MessageFlag[];
}

/** The trigger of the outgoing webhook for this message of a person; undefined if none would be sent. */
export function triggerOf({ message, flags }: ReceivedMessage): Trigger | undefined {
  if (message.type === 'private') return 'direct_message';
  return flags.includes('mentioned') ? 'mention' : undefined;
}

interface DeliveredMessage {
  readonly message: Message | FetchedMessage;
  readonly trigger: Trigger;
  /** The HTML of the message. */
  readonly rendered: string;
}

/** The delivery that an outgoing webhook would make; undefined for a malformed message. */
export function deliveryOf(
  bot: Person,
  { message, trigger, rendered }: DeliveredMessage,
): Delivery | undefined {
  const receiver = { botEmail: bot.email, botFullName: bot.fullName };
  const common = {
    id: message.id,
    content: message.content,
    renderedContent: rendered,
    sender: {
      id: message.sender_id,
      email: message.sender_email,
      fullName: message.sender_full_name,
    },
    timestamp: message.timestamp,
  };
  const { display_recipient: recipient, stream_id, subject: topic } = message;
  if (message.type === 'private') {
    if (typeof recipient === 'string') return undefined;
    return {
      ...receiver,
      trigger: 'direct_message',
      message: { ...common, recipients: recipient.map(personOf) },
    };
  }
  if (typeof recipient !== 'string' || stream_id === undefined || trigger === 'direct_message')
    return undefined;
  const channel = { id: stream_id, name: recipient };
  return { ...receiver, trigger, message: { ...common, channel, topic } };
}

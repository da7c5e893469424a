import type { FetchedMessage, Message, MessageFlag } from '@bellhop/protocol';

import type { Delivery, Trigger } from '../delivery.ts';

/** The bot that listens, as the server knows it. */
export interface QueueBot {
  readonly user_id: number;
  readonly email: string;
  readonly full_name: string;
}

/** A message as an event queue or a fetch brings it, with the bot's own flags. */
export interface ReceivedMessage {
  readonly message: Message | FetchedMessage;
  readonly flags: readonly MessageFlag[];
}

/** Why a webhook would be told of a message that nobody but people wrote; undefined when it would not. */
export function triggerOf({ message, flags }: ReceivedMessage): Trigger | undefined {
  if (message.type === 'private') return 'direct_message';
  return flags.includes('mentioned') ? 'mention' : undefined;
}

/** The same as an outgoing webhook brings. */
export function deliveryOf(
  bot: QueueBot,
  message: Message | FetchedMessage,
  rendered: string,
): Delivery | undefined {
  const about = { bot_email: bot.email, bot_full_name: bot.full_name };
  const said = {
    id: message.id,
    content: message.content,
    rendered_content: rendered,
    sender: {
      id: message.sender_id,
      email: message.sender_email,
      full_name: message.sender_full_name,
    },
    timestamp: message.timestamp,
  };
  const { display_recipient: place, stream_id, subject: topic } = message;
  if (message.type === 'private') {
    if (typeof place === 'string') return undefined;
    return { ...about, trigger: 'direct_message', message: { ...said, recipients: place } };
  }
  if (typeof place !== 'string' || stream_id === undefined) return undefined;
  const channel = { id: stream_id, name: place };
  return { ...about, trigger: 'mention', message: { ...said, channel, topic } };
}

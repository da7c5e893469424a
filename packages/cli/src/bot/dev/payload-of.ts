import type { Delivery } from '@bellhop/bot/internals';

/**
 * A delivery as an outgoing webhook brings it (spec, Outgoing webhook payload), with what a bot reads
 * of it and nothing else: no token, to be kept in a file.
 */
export function payloadOf({ bot_email, bot_full_name, trigger, message }: Delivery) {
  const { id, content, rendered_content, sender, timestamp } = message;
  const where =
    trigger === 'mention'
      ? {
          type: 'stream',
          stream_id: message.channel.id,
          display_recipient: message.channel.name,
          subject: message.topic,
        }
      : { type: 'private', display_recipient: message.recipients, subject: '' };
  return {
    bot_email,
    bot_full_name,
    trigger,
    data: content,
    message: {
      id,
      ...where,
      content,
      rendered_content,
      sender_id: sender.id,
      sender_email: sender.email,
      sender_full_name: sender.full_name,
      timestamp,
    },
  };
}

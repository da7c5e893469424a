import type { Delivery } from '@bellhop/bot/internals';

/**
 * The payload of an outgoing webhook for a delivery (spec, Outgoing webhook payload). Has the fields that
 * a bot reads and no token, so that it can be kept in a file.
 */
export function payloadOf({ bot_email, bot_full_name, trigger, message }: Delivery) {
  const { id, content, rendered_content, sender, timestamp } = message;
  const where =
    'channel' in message
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

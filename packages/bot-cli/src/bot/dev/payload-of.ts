import type { Delivery } from '@bellhop/bot/internals';

/**
 * The payload of an outgoing webhook for a delivery (spec, Outgoing webhook payload). Has the fields that
 * a bot reads and no token, so that it can be kept in a file.
 */
export function payloadOf({ botEmail, botFullName, trigger, message, change }: Delivery) {
  const { id, content, renderedContent, sender, timestamp } = message;
  const where =
    'channel' in message
      ? {
          type: 'stream',
          stream_id: message.channel.id,
          display_recipient: message.channel.name,
          subject: message.topic,
        }
      : {
          type: 'private',
          display_recipient: message.recipients.map((person) => ({
            id: person.id,
            email: person.email,
            full_name: person.fullName,
          })),
          subject: '',
        };
  return {
    bot_email: botEmail,
    bot_full_name: botFullName,
    trigger,
    data: content,
    message: {
      id,
      ...where,
      content,
      rendered_content: renderedContent,
      sender_id: sender.id,
      sender_email: sender.email,
      sender_full_name: sender.fullName,
      timestamp,
    },
    ...(change ? { change: wireChange(change) } : {}),
  };
}

function wireChange({ id, by, reaction, earlierContent }: NonNullable<Delivery['change']>) {
  const user = by && { user_id: by.id, email: by.email, full_name: by.fullName };
  const op = reaction?.isRemoved ? 'remove' : 'add';
  return {
    id,
    ...(user ? { user } : {}),
    ...(reaction ? { op, emoji_name: reaction.emoji, emoji_code: reaction.code } : {}),
    ...(earlierContent === undefined ? {} : { orig_content: earlierContent }),
  };
}

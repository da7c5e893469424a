import type { Target } from './target.ts';

const SENDER = { id: 7, email: 'probe@chat.invalid', full_name: 'Bellhop Probe' };
const OTHER = { id: 8, email: 'other@chat.invalid', full_name: 'Somebody Else' };
const BOT_ID = 9;

type Fields = Readonly<Record<string, unknown>>;
interface Payload extends Fields {
  readonly message: Fields;
}

/** The delivery of a channel message that mentions the bot. */
export function mention(target: Target, { topic = 'probe' } = {}): Payload {
  const { botFullName } = target.identity;
  const content = `@**${botFullName}** ${target.content}`;
  const shown = `<span class="user-mention" data-user-id="${BOT_ID}">@${escaped(botFullName)}</span>`;
  return payload(target, content, {
    trigger: 'mention',
    message: {
      type: 'stream',
      stream_id: 3,
      display_recipient: 'probe',
      subject: topic,
      rendered_content: `<p>${shown} ${escaped(target.content)}</p>`,
    },
  });
}

/** The delivery of a direct message; `isGroup` adds another recipient. */
export function directMessage(target: Target, { isGroup = false } = {}): Payload {
  const { botEmail: email, botFullName: full_name } = target.identity;
  const people = [SENDER, ...(isGroup ? [OTHER] : []), { id: BOT_ID, email, full_name }];
  const display_recipient = people.map((one) => ({ ...one, is_mirror_dummy: false }));
  return payload(target, target.content, {
    trigger: 'direct_message',
    message: { type: 'private', display_recipient, subject: '' },
  });
}

function payload(
  { identity, nextId }: Target,
  content: string,
  { message, ...rest }: Payload,
): Payload {
  return {
    bot_email: identity.botEmail,
    bot_full_name: identity.botFullName,
    token: identity.token,
    ...rest,
    data: content,
    message: {
      id: nextId(),
      content,
      rendered_content: `<p>${escaped(content)}</p>`,
      content_type: 'text/x-markdown',
      sender_id: SENDER.id,
      sender_email: SENDER.email,
      sender_full_name: SENDER.full_name,
      sender_realm_str: '',
      avatar_url: 'https://chat.invalid/avatar.png',
      client: 'website',
      recipient_id: 12,
      timestamp: Math.floor(Date.now() / 1000),
      is_me_message: false,
      reactions: [],
      submessages: [],
      topic_links: [],
      flags: [],
      ...message,
    },
  };
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** A copy with the given fields in its message; a field that is undefined is omitted. */
export const withMessage = (delivery: Payload, fields: Fields): Payload => ({
  ...delivery,
  message: { ...delivery.message, ...fields },
});

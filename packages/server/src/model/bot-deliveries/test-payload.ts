import { genericPayload, MASK, MessageId, RecipientId, slackPayload } from '@bellhop/protocol';

import type { Actor, User } from '../../engine/caller.ts';
import { apiEmail } from '../users/user-record.ts';

const TEXT = 'This is a test of your webhook.';

/** The payload of a message to a bot that nobody has sent, the token masked. */
export function testPayload(interfaceType: number, sender: Actor, bot: User): string {
  const { realm, user, now } = sender;
  if (interfaceType === 2) {
    const fields = slackPayload({
      token: MASK,
      trigger: 'mention',
      bot,
      realm: { id: realm.id, host: new URL(realm.url).host },
      channel: { id: 0, name: 'test' },
      sender: user,
      timestamp: now,
      content: TEXT,
    });
    return new URLSearchParams(Object.entries(fields)).toString();
  }
  const person = (one: User) => ({
    id: one.id,
    email: apiEmail(one, realm),
    full_name: one.full_name,
    is_mirror_dummy: false,
  });
  const payload = genericPayload({
    bot: { id: bot.id, email: apiEmail(bot, realm), full_name: bot.full_name },
    token: MASK,
    trigger: 'direct_message',
    rendered_content: `<p>${TEXT}</p>`,
    message: {
      id: MessageId.parse(0),
      type: 'private',
      avatar_url: null,
      client: 'test',
      content: TEXT,
      content_type: 'text/x-markdown',
      display_recipient: [person(user), person(bot)],
      is_me_message: false,
      reactions: [],
      recipient_id: RecipientId.parse(0),
      sender_email: apiEmail(user, realm),
      sender_full_name: user.full_name,
      sender_id: user.id,
      sender_realm_str: realm.subdomain,
      subject: '',
      submessages: [],
      timestamp: now,
      topic_links: [],
    },
  });
  return JSON.stringify(payload);
}

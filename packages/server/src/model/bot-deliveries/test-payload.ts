import type { SlackWebhookPayload, WebhookPayload } from '@bellhop/protocol';
import { MessageId, RecipientId } from '@bellhop/protocol';

import type { Actor, User } from '../../engine/caller.ts';
import { MASK } from '../bots/webhook-result.ts';
import { apiEmail } from '../users/user-record.ts';

const TEXT = 'This is a test of your webhook.';

/** The payload of a message to a bot that nobody has sent, the token masked. */
export function testPayload(interfaceType: number, sender: Actor, bot: User): string {
  if (interfaceType === 2) return slackPayload(sender, bot);
  const { realm, user, now } = sender;
  const person = (one: User) => ({
    id: one.id,
    email: apiEmail(one, realm),
    full_name: one.full_name,
    is_mirror_dummy: false,
  });
  const payload: WebhookPayload = {
    bot_email: apiEmail(bot, realm),
    bot_full_name: bot.full_name,
    data: TEXT,
    trigger: 'direct_message',
    token: MASK,
    message: {
      id: MessageId.parse(0),
      type: 'private',
      avatar_url: null,
      client: 'test',
      content: TEXT,
      content_type: 'text/x-markdown',
      rendered_content: `<p>${TEXT}</p>`,
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
      flags: [],
    },
  };
  return JSON.stringify(payload);
}

function slackPayload({ realm, user, now }: Actor, bot: User): string {
  const payload: SlackWebhookPayload = {
    token: MASK,
    team_id: `T${realm.id}`,
    team_domain: new URL(realm.url).host,
    channel_id: 'C0',
    channel_name: 'test',
    thread_ts: String(now),
    timestamp: String(now),
    user_id: `U${user.id}`,
    user_name: user.full_name,
    text: TEXT,
    trigger_word: 'mention',
    service_id: String(bot.id),
  };
  return new URLSearchParams(Object.entries(payload)).toString();
}

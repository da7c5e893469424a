import type { SlackWebhookPayload, WebhookPayload } from '@bellhop/protocol';
import { MessageId, RecipientId } from '@bellhop/protocol';

import type { Realm, User } from '../../engine/caller.ts';
import { MASK } from '../bots/webhook-result.ts';
import { apiEmail } from '../users/user-record.ts';

interface About {
  readonly realm: Realm;
  readonly bot: User;
  readonly sender: User;
  /** UNIX time in seconds. */
  readonly now: number;
}

const TEXT = 'This is a test of your webhook.';

/** The payload of a message that nobody has sent, the token masked. */
export function testPayload(interfaceType: number, { realm, bot, sender, now }: About): string {
  if (interfaceType === 2) return slackPayload({ realm, bot, sender, now });
  const person = (user: User) => ({
    id: user.id,
    email: apiEmail(user, realm),
    full_name: user.full_name,
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
      display_recipient: [person(sender), person(bot)],
      is_me_message: false,
      reactions: [],
      recipient_id: RecipientId.parse(0),
      sender_email: apiEmail(sender, realm),
      sender_full_name: sender.full_name,
      sender_id: sender.id,
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

function slackPayload({ realm, bot, sender, now }: About): string {
  const payload: SlackWebhookPayload = {
    token: MASK,
    team_id: `T${realm.id}`,
    team_domain: new URL(realm.url).host,
    channel_id: 'C0',
    channel_name: 'test',
    thread_ts: String(now),
    timestamp: String(now),
    user_id: `U${sender.id}`,
    user_name: sender.full_name,
    text: TEXT,
    trigger_word: 'mention',
    service_id: String(bot.id),
  };
  return new URLSearchParams(Object.entries(payload)).toString();
}

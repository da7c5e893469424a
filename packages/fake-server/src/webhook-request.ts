import type { WebhookPayload } from '@bellhop/protocol';

import type { Account } from './account.ts';
import { shownMessage, type StoredMessage } from './stored-message.ts';

interface Told {
  readonly bot: Account;
  readonly message: StoredMessage;
}
/** What is posted to a bot. */
export interface WebhookRequest {
  readonly body: string;
  readonly contentType: string;
}

/**
 * The generic form (spec, Outgoing webhook payload): raw Markdown as `content`, HTML as
 * `rendered_content`, the empty topic empty, all participants of a direct message.
 */
export function genericRequest({ bot, message }: Told): WebhookRequest {
  const { content, rendered_content, place } = message;
  const options = { apply_markdown: false, client_gravatar: false, allow_empty_topic_name: true };
  const payload: WebhookPayload = {
    bot_email: bot.email,
    bot_full_name: bot.full_name,
    data: content,
    trigger: 'channel' in place ? 'mention' : 'direct_message',
    token: bot.bot?.token ?? '',
    message: { ...shownMessage(message, options), rendered_content, flags: [] },
  };
  return { body: JSON.stringify(payload), contentType: 'application/json' };
}

/** The Slack-compatible form of a channel message; undefined for a direct one, which has none. */
export function slackRequest({ bot, message }: Told): WebhookRequest | undefined {
  const { place, timestamp, sender, content } = message;
  if (!('channel' in place)) return undefined;
  const form = new URLSearchParams({
    token: bot.bot?.token ?? '',
    team_id: 'T1',
    team_domain: 'fake.test',
    channel_id: `C${place.channel.stream_id}`,
    channel_name: place.channel.name,
    thread_ts: String(timestamp),
    timestamp: String(timestamp),
    user_id: `U${sender.user_id}`,
    user_name: sender.full_name,
    text: content,
    trigger_word: 'mention',
    service_id: String(bot.user_id),
  });
  return { body: form.toString(), contentType: 'application/x-www-form-urlencoded' };
}

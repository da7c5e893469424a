import type { WebhookChange, WebhookPayload } from '@bellhop/protocol';

import type { Account } from './account.ts';
import { unescapeHtml } from './render-content.ts';
import { shownMessage, type StoredMessage } from './stored-message.ts';

interface DeliveredMessage {
  readonly trigger: WebhookPayload['trigger'];
  readonly bot: Account;
  readonly message: StoredMessage;
  /** The change to the message. */
  readonly change?: WebhookChange | undefined;
}
/** The request that is posted to a webhook. */
export interface WebhookRequest {
  readonly body: string;
  readonly contentType: string;
}

/**
 * The generic form (spec, Outgoing webhook payload): the message with raw Markdown as `content` and
 * HTML as `rendered_content`; an empty topic stays empty; a direct message lists all participants.
 */
export function genericRequest({
  bot,
  trigger,
  message,
  change,
}: DeliveredMessage): WebhookRequest {
  const { content, rendered_content } = message;
  const options = { apply_markdown: false, client_gravatar: false, allow_empty_topic_name: true };
  const payload: WebhookPayload = {
    bot_email: bot.email,
    bot_full_name: mentionedName(rendered_content, bot) ?? bot.full_name,
    data: content,
    trigger,
    token: bot.bot?.token ?? '',
    message: { ...shownMessage(message, options), rendered_content, flags: [] },
    ...(change ? { change } : {}),
  };
  return { body: JSON.stringify(payload), contentType: 'application/json' };
}

/** The name by which a message mentions the bot: the earlier one if the bot was renamed since. */
function mentionedName(html: string, { user_id }: Account): string | undefined {
  const mention = new RegExp(
    `<span class="user-mention(?: silent)?" data-user-id="${user_id}">@?([^<]*)</span>`,
  );
  const name = mention.exec(html)?.[1];
  return name === undefined ? undefined : unescapeHtml(name);
}

/** The Slack-compatible form of a channel message; undefined for a direct message. */
export function slackRequest({
  bot,
  trigger,
  message,
}: DeliveredMessage): WebhookRequest | undefined {
  const { conversation, timestamp, sender, content } = message;
  if (!('channel' in conversation)) return undefined;
  const form = new URLSearchParams({
    token: bot.bot?.token ?? '',
    team_id: 'T1',
    team_domain: 'fake.test',
    channel_id: `C${conversation.channel.stream_id}`,
    channel_name: conversation.channel.name,
    thread_ts: String(timestamp),
    timestamp: String(timestamp),
    user_id: `U${sender.user_id}`,
    user_name: sender.full_name,
    text: content,
    trigger_word: trigger,
    service_id: String(bot.user_id),
  });
  return { body: form.toString(), contentType: 'application/x-www-form-urlencoded' };
}

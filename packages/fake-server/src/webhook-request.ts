import {
  genericPayload,
  slackPayload,
  type WebhookChange,
  type WebhookPayload,
} from '@bellhop/protocol';

import type { Account } from './account.ts';
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

/** The request in the form of the bot's interface; undefined if it has none for the message. */
export function webhookRequest({
  trigger,
  bot,
  message,
  change,
}: DeliveredMessage): WebhookRequest | undefined {
  const { conversation, timestamp, sender, content, rendered_content } = message;
  const { user_id: id, email, full_name } = bot;
  const token = bot.bot?.token ?? '';
  if (bot.bot?.interface !== 'slack') {
    const told = { bot: { id, email, full_name }, token, trigger, rendered_content, change };
    const payload = genericPayload({ ...told, message: shownMessage(message, inMarkdown) });
    return { body: JSON.stringify(payload), contentType: 'application/json' };
  }
  if (!('channel' in conversation)) return undefined;
  const payload = slackPayload({
    token,
    trigger,
    bot: { id },
    realm: { id: 1, host: 'fake.test' },
    channel: { id: conversation.channel.stream_id, name: conversation.channel.name },
    sender: { id: sender.user_id, full_name: sender.full_name },
    timestamp,
    content,
  });
  const body = new URLSearchParams(Object.entries(payload)).toString();
  return { body, contentType: 'application/x-www-form-urlencoded' };
}

/** Raw Markdown as `content`; an empty topic stays empty. */
const inMarkdown = {
  apply_markdown: false,
  client_gravatar: false,
  allow_empty_topic_name: true,
};

import { unescapeHtml } from '../values/escape-html.ts';
import type {
  SlackWebhookPayload,
  WebhookChange,
  WebhookMessage,
  WebhookPayload,
} from './outgoing-webhook.ts';

/** What a bot with a webhook is told of a message. */
export interface ToldMessage {
  readonly bot: { readonly id: number; readonly email: string; readonly full_name: string };
  readonly token: string;
  readonly trigger: WebhookPayload['trigger'];
  /** With Markdown as `content`; an empty topic stays empty, a direct message lists all participants. */
  readonly message: Omit<WebhookMessage, 'rendered_content' | 'flags'>;
  readonly rendered_content: string;
  readonly change?: WebhookChange | undefined;
}

/** The body for the generic interface (spec, Outgoing webhook payload). */
export const genericPayload = ({
  bot,
  token,
  trigger,
  message,
  rendered_content,
  change,
}: ToldMessage): WebhookPayload => ({
  bot_email: bot.email,
  bot_full_name: mentionedName(rendered_content, bot) ?? bot.full_name,
  data: message.content,
  trigger,
  token,
  message: { ...message, rendered_content, flags: [] },
  ...(change ? { change } : {}),
});

/**
 * The name by which a message mentions the bot. Bots cut the mention of this name off the text, so it
 * is the earlier one if the bot was renamed after the message was sent.
 */
function mentionedName(html: string, { id }: { readonly id: number }): string | undefined {
  const mention = new RegExp(
    `<span class="user-mention(?: silent)?" data-user-id="${id}">@?([^<]*)</span>`,
  );
  const name = mention.exec(html)?.[1];
  return name === undefined ? undefined : unescapeHtml(name);
}

/** A message in a channel, for a bot with the Slack-compatible interface. */
export interface SlackMessage {
  readonly token: string;
  readonly trigger: WebhookPayload['trigger'];
  readonly bot: { readonly id: number };
  readonly realm: { readonly id: number; readonly host: string };
  readonly channel: { readonly id: number; readonly name: string };
  readonly sender: { readonly id: number; readonly full_name: string };
  /** UNIX time in seconds. */
  readonly timestamp: number;
  /** Markdown. */
  readonly content: string;
}

/** The fields of the form for the Slack-compatible interface, which has no form of a direct message. */
export const slackPayload = ({
  token,
  trigger,
  bot,
  realm,
  channel,
  sender,
  timestamp,
  content,
}: SlackMessage): SlackWebhookPayload => ({
  token,
  team_id: `T${realm.id}`,
  team_domain: realm.host,
  channel_id: `C${channel.id}`,
  channel_name: channel.name,
  thread_ts: String(timestamp),
  timestamp: String(timestamp),
  user_id: `U${sender.id}`,
  user_name: sender.full_name,
  text: content,
  trigger_word: trigger,
  service_id: String(bot.id),
});

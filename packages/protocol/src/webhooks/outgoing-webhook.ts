import { z } from 'zod';

import { Message, MessageFlag } from '../chat/messages/message.ts';
import { Email, FullName, Html, Markdown, Secret, TopicName } from '../values/fields.ts';
import { ChannelId, MessageId, UserId } from '../values/ids.ts';

const described = (description: string) => z.string().meta({ description });

/**
 * The kinds of changes to a message that are delivered to bots that ask for them (`PATCH
 * /bot_changes`).
 */
export const MessageChangeKind = z
  .enum(['reaction', 'edit', 'delete'])
  .meta({ id: 'MessageChangeKind' });
export type MessageChangeKind = z.output<typeof MessageChangeKind>;

/**
 * Why a bot gets a message: it is a direct message, it mentions the bot in a channel, or it is in a
 * topic that the bot is subscribed to (`POST /bot_topics`) and does not mention it. Or a user has
 * reacted to it, edited it or deleted it.
 */
export const WebhookTrigger = z
  .enum(['direct_message', 'mention', 'follow_up', ...MessageChangeKind.options, 'private_message'])
  .transform((trigger) => (trigger === 'private_message' ? 'direct_message' : trigger))
  .meta({
    type: 'string',
    enum: ['direct_message', 'mention', 'follow_up', ...MessageChangeKind.options],
    description:
      'Why the bot gets the message: a direct message, a mention in a channel, or a message in a topic that it is subscribed to; or what happened to the message, if the bot asks for that. Servers before feature level 201 send `private_message`',
  });
export type WebhookTrigger = z.output<typeof WebhookTrigger>;

/** The change to the message of a delivery with the trigger `reaction`, `edit` or `delete`. */
export const WebhookChange = z
  .object({
    id: z.string().min(1).max(200).meta({
      description: 'The same in every attempt, and in no other delivery',
    }),
    user: z
      .object({ user_id: UserId, email: Email, full_name: FullName })
      .optional()
      .meta({ description: 'Who has reacted or edited; absent for `delete`' }),
    op: z.enum(['add', 'remove']).optional().meta({ description: 'Only for `reaction`' }),
    emoji_name: described('The name without colons; only for `reaction`').optional(),
    emoji_code: described(
      'Hexadecimal code points, or the ID of an emoji of the organization; only for `reaction`',
    ).optional(),
    orig_content: described('The Markdown before the edit; only for `edit`').optional(),
  })
  .meta({ id: 'WebhookChange' });
export type WebhookChange = z.output<typeof WebhookChange>;

/**
 * The message of a webhook payload: raw Markdown in `content`, HTML in `rendered_content`. Unknown
 * keys are ignored; older servers omit some of the lists.
 */
export const WebhookMessage = Message.extend({
  content: described('Markdown, with the mention of the bot'),
  rendered_content: described('The content as HTML'),
  flags: z.array(MessageFlag).optional().meta({ description: 'Always an empty list' }),
  reactions: Message.shape.reactions.default([]),
  submessages: Message.shape.submessages.default([]),
  topic_links: Message.shape.topic_links.default([]),
}).meta({ id: 'WebhookMessage' });
export type WebhookMessage = z.output<typeof WebhookMessage>;

/** The body of a request to an outgoing webhook bot (spec, Outgoing webhook payload). */
export const WebhookPayload = z
  .object({
    bot_email: described('The e-mail address of the bot user'),
    bot_full_name: described('The name of the bot user, as the message mentions it'),
    data: described('The same text as `message.content`'),
    trigger: WebhookTrigger,
    token: described('Proves that the server sends this: compare it'),
    message: WebhookMessage.meta({ description: 'The message' }),
    change: WebhookChange.optional().meta({
      description: 'What happened to the message; only for `reaction`, `edit` and `delete`',
    }),
  })
  .meta({ id: 'WebhookPayload' });
export type WebhookPayload = z.output<typeof WebhookPayload>;

/**
 * The keys of the payload that every server sends, of any version. Other keys are not checked, so
 * that a bot accepts messages of servers with another feature level.
 */
export const ReceivedWebhook = z.object({
  bot_email: z.string(),
  bot_full_name: z.string().default(''),
  data: z.string().default(''),
  trigger: WebhookTrigger,
  token: Secret,
  change: WebhookChange.optional(),
  message: z.object({
    id: MessageId,
    stream_id: ChannelId.optional(),
    subject: TopicName.default(''),
    content: Markdown,
    content_type: z.string().default(''),
    rendered_content: Html.default(''),
    sender_id: UserId,
    sender_email: Email,
    sender_full_name: FullName,
    timestamp: z.number(),
    display_recipient: z.union([
      z.string(),
      z.array(z.object({ id: UserId, email: Email, full_name: FullName })),
    ]),
  }),
});
export type ReceivedWebhook = z.output<typeof ReceivedWebhook>;

/** The fields of a request in the Slack-compatible form (`service_interface` 2): a channel message. */
export const SlackWebhookPayload = z
  .object({
    token: described('The token of the bot'),
    team_id: described('`T` and the id of the organization'),
    team_domain: described('The host of the organization'),
    channel_id: described('`C` and the id of the channel'),
    channel_name: described('The name of the channel'),
    thread_ts: described('The time of the message in UNIX seconds'),
    timestamp: described('The time of the message in UNIX seconds'),
    user_id: described('`U` and the id of the sender'),
    user_name: described('The full name of the sender'),
    text: described('The raw Markdown of the message'),
    trigger_word: described('`mention`'),
    service_id: described('The id of the bot'),
  })
  .meta({ id: 'SlackWebhookPayload' });
export type SlackWebhookPayload = z.output<typeof SlackWebhookPayload>;

/**
 * The Slack-compatible form (`service_interface` 2) of a channel message. It has neither the id of
 * the message nor its topic.
 */
export const ReceivedSlackWebhook = z.object({
  token: Secret,
  service_id: z.string().regex(/^\d+$/),
  channel_id: z.string().regex(/^C\d+$/),
  channel_name: z.string(),
  user_id: z.string().regex(/^U\d+$/),
  user_name: z.string(),
  text: Markdown,
  timestamp: z.string().regex(/^\d+(\.\d+)?$/),
});
export type ReceivedSlackWebhook = z.output<typeof ReceivedSlackWebhook>;

/**
 * The response of a bot. `response_not_required` comes first, then the deprecated
 * `response_string`, then `content` with `widget_content`. Without any of them, as in `{}`, the bot
 * sends no reply.
 */
export const WebhookResponse = z
  .object({
    response_not_required: z.unknown().optional().meta({
      description: 'If true, the bot does not reply, whatever else the answer has',
    }),
    response_string: z.unknown().optional().meta({
      deprecated: true,
      description: 'The reply; wins over `content`',
    }),
    content: z.unknown().optional().meta({
      description: 'The reply in Markdown; none if missing or blank',
    }),
    widget_content: z.unknown().optional().meta({
      description: 'A poll, a to-do list or buttons, as JSON text in a string',
    }),
    error: z.unknown().optional().meta({
      description:
        'A failure of the bot, for its author: the delivery gets the status `bot_error`, and nobody in the chat sees it',
    }),
  })
  .meta({ id: 'WebhookResponse' });
export type WebhookResponse = z.output<typeof WebhookResponse>;

/** A reply of a bot, with a widget if it has one. */
export interface WebhookReply {
  readonly content: string;
  readonly widget_content: string | undefined;
}

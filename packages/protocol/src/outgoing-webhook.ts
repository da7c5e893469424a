import { z } from 'zod';

import { ChannelId, MessageId, UserId } from './ids.ts';
import { Message, MessageFlag } from './messages/message.ts';

/** Why a bot is told: it was sent a direct message, or mentioned in a channel. */
export const WebhookTrigger = z
  .enum(['direct_message', 'mention', 'private_message'])
  .transform((trigger) => (trigger === 'private_message' ? 'direct_message' : trigger));

/**
 * The message of a webhook payload: raw Markdown in `content`, HTML in `rendered_content`. Unknown
 * extra keys are tolerated, as are lists that older servers leave out.
 */
export const WebhookMessage = Message.extend({
  rendered_content: z.string(),
  flags: z.array(MessageFlag).optional(),
  reactions: Message.shape.reactions.default([]),
  submessages: Message.shape.submessages.default([]),
  topic_links: Message.shape.topic_links.default([]),
}).meta({ id: 'WebhookMessage' });
export type WebhookMessage = z.output<typeof WebhookMessage>;

/** What the server posts to an outgoing webhook bot (spec, Outgoing webhook payload). */
export const WebhookPayload = z
  .object({
    bot_email: z.string(),
    bot_full_name: z.string(),
    data: z.string(),
    trigger: WebhookTrigger,
    token: z.string(),
    message: WebhookMessage,
  })
  .meta({ id: 'WebhookPayload' });
export type WebhookPayload = z.output<typeof WebhookPayload>;

/**
 * What a receiver may rely on, whichever server sends it and however old or new that is: the rest of
 * the payload is left alone, so that nothing in it can make a bot refuse a message.
 */
export const ReceivedWebhook = z.object({
  bot_email: z.string(),
  bot_full_name: z.string().default(''),
  trigger: WebhookTrigger,
  token: z.string(),
  message: z.object({
    id: MessageId,
    stream_id: ChannelId.optional(),
    subject: z.string().default(''),
    content: z.string(),
    rendered_content: z.string().default(''),
    sender_id: UserId,
    sender_email: z.string(),
    sender_full_name: z.string(),
    timestamp: z.number(),
    display_recipient: z.union([
      z.string(),
      z.array(z.object({ id: UserId, email: z.string(), full_name: z.string() })),
    ]),
  }),
});
export type ReceivedWebhook = z.output<typeof ReceivedWebhook>;

/**
 * The Slack-compatible form (`service_interface` 2) of a channel message. It has neither the id of
 * the message nor its topic.
 */
export const ReceivedSlackWebhook = z.object({
  token: z.string(),
  service_id: z.string().regex(/^\d+$/),
  channel_id: z.string().regex(/^C\d+$/),
  channel_name: z.string(),
  user_id: z.string().regex(/^U\d+$/),
  user_name: z.string(),
  text: z.string(),
  timestamp: z.string().regex(/^\d+(\.\d+)?$/),
});

/**
 * What a bot may answer. `response_not_required` wins; then the deprecated `response_string`; then
 * `content`, with `widget_content` beside it; anything else, `{}` too, is silence.
 */
export const WebhookResponse = z
  .object({
    response_not_required: z.unknown().optional(),
    response_string: z.unknown().optional(),
    content: z.unknown().optional(),
    widget_content: z.unknown().optional(),
  })
  .meta({ id: 'WebhookResponse' });
export type WebhookResponse = z.output<typeof WebhookResponse>;

/** A reply to send, or nothing to say. */
export interface WebhookReply {
  readonly content: string;
  readonly widget_content: string | undefined;
}

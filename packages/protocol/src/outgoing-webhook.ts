import { z } from 'zod';

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

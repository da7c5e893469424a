import { z } from 'zod';

import { Url } from '../../values/fields.ts';
import { MessageId, UserId } from '../../values/ids.ts';

/** The ID of a delivery: the `webhook-id` header of all its attempts. */
export const DeliveryId = z.uuid().brand<'DeliveryId'>();
export type DeliveryId = z.output<typeof DeliveryId>;

export const DeliveryStatus = z
  .enum(['pending', 'running', 'retrying', 'delivered', 'bot_error', 'failed', 'dropped'])
  .meta({
    description:
      'pending: no attempt yet; running: in an attempt; retrying: waits for the next attempt; delivered: the answer was a reply or silence; bot_error: the bot replied, and its answer reports an error of its own; failed: given up; dropped: not sent at all',
  });
export type DeliveryStatus = z.output<typeof DeliveryStatus>;

/**
 * The fault of an attempt, from the look-up of the name to the reply. With `misnamed_reply`, a silence
 * that looks like a reply under another name, the delivery is `delivered`.
 */
export const DeliveryFault = z.enum([
  'dns',
  'unknown_host',
  'address_forbidden',
  'refused',
  'unreachable',
  'not_tls',
  'certificate',
  'closed',
  'not_http',
  'bad_http',
  'header_too_large',
  'timeout',
  'redirect',
  'status',
  'too_large',
  'bad_encoding',
  'bad_charset',
  'not_json',
  'not_object',
  'bad_widget',
  'misnamed_reply',
  'bot_error',
  'reply_refused',
  'disabled',
  'owner_changed',
  'unsupported',
  'internal',
]);
export type DeliveryFault = z.output<typeof DeliveryFault>;

/** The fate of the reply in the answer of a delivery. */
const DeliveryReply = z.object({
  outcome: z.enum(['none', 'silent', 'sent', 'refused', 'withheld']).meta({
    description:
      'none: no usable answer; silent: the bot did not reply; sent: `message_id` is the reply; refused: by the chat, for `reason`; withheld: the delivery is a replay or a test whose reply is not sent, or the bot was deactivated before it answered',
  }),
  message_id: MessageId.nullable(),
  reason: z.string().nullable(),
});
export type DeliveryReply = z.output<typeof DeliveryReply>;

const ms = z.int().nullable();

/** A delivery of a message to the webhook of a bot, without payload and answers. */
export const BotDelivery = z
  .object({
    id: DeliveryId,
    bot_id: UserId,
    message_id: MessageId.nullable().meta({
      description: 'Null for a test, and if the message is deleted',
    }),
    trigger: z.string().meta({ description: 'The `trigger` of the payload, or `test`' }),
    excerpt: z.string().nullable().meta({
      description:
        'The beginning of the message on one line, empty before the first attempt. Null for everybody but the owner of the delivery, who owned the bot when it was made',
    }),
    status: DeliveryStatus,
    created_ms: z.int().meta({ description: 'UNIX time in milliseconds, as all `_ms` times' }),
    attempt_count: z.int(),
    next_attempt_ms: ms.meta({ description: 'When the next attempt is due, while retrying' }),
    duration_ms: ms.meta({ description: 'How long the newest attempt took' }),
    http_status: z.int().nullable(),
    error_code: DeliveryFault.nullable(),
    verdict: z
      .string()
      .meta({ description: 'What happened, in words; what the endpoint said only for the owner' }),
    reply: DeliveryReply,
    replay_of: DeliveryId.nullable(),
    replay_id: z.uuid().nullable().meta({ description: 'The replay of many that made it' }),
  })
  .meta({ id: 'BotDelivery' });
export type BotDelivery = z.output<typeof BotDelivery>;

const Headers = z.record(z.string(), z.string());

const DeliveryAttempt = z
  .object({
    number: z.int(),
    started_ms: z.int(),
    timing: z
      .object({ dns: ms, connect: ms, first_byte: ms, total: z.int() })
      .nullable()
      .meta({ description: 'Milliseconds; null: not reached, or the connection was open' }),
    request: z.object({ url: Url, headers: Headers }).meta({ description: 'Without secrets' }),
    response: z
      .object({
        status: z.int(),
        headers: Headers.nullable().meta({
          description: 'Without secrets. Null for everybody but the owner of the delivery',
        }),
        body: z.string().nullable().meta({ description: 'Null as `headers`' }),
        truncated: z.boolean().meta({ description: 'Whether the body was cut at 64 KiB' }),
      })
      .nullable(),
    error: z
      .object({
        code: DeliveryFault,
        near: z.string().nullable().meta({ description: 'The place in the body' }),
      })
      .nullable(),
    verdict: z.string(),
  })
  .meta({ id: 'BotDeliveryAttempt' });
export type DeliveryAttempt = z.output<typeof DeliveryAttempt>;

/** A delivery with its attempts. */
export const BotDeliveryDetails = BotDelivery.extend({
  payload: z.string().nullable().meta({
    description:
      'The exact text that was sent, the token masked as `[redacted]`. Null for everybody but the owner of the delivery, and before the first attempt',
  }),
  attempts: z.array(DeliveryAttempt),
}).meta({ id: 'BotDeliveryDetails' });
export type BotDeliveryDetails = z.output<typeof BotDeliveryDetails>;

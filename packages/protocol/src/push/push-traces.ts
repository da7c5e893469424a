import { z } from 'zod';

import { MessageId } from '../values/ids.ts';
import { OutcomeKind } from './push-outcome.ts';
import { MAX_PUSH_BYTES, PushKeyId, TokenKind } from './push.ts';

/**
 * Names a ciphertext in the traces of every service that it passes: the first 16 hexadecimal digits of the
 * SHA-256 of `encrypted_data`.
 */
export const CipherId = z
  .string()
  .length(16, 'must be 16 hexadecimal digits')
  .regex(/^[0-9a-f]{16}$/, 'must be 16 hexadecimal digits')
  .meta({
    id: 'CipherId',
    description: 'The first 16 hexadecimal digits of the SHA-256 of encrypted_data',
    example: '9f86d081884c7d65',
  });

/** Why a message is pushed to a user. */
export const PushTrigger = z.enum([
  'direct_message',
  'mentioned',
  'topic_wildcard_mentioned_in_followed_topic',
  'stream_wildcard_mentioned_in_followed_topic',
  'topic_wildcard_mentioned',
  'stream_wildcard_mentioned',
  'followed_topic_push_notify',
  'stream_push_notify',
]);
export type PushTrigger = z.output<typeof PushTrigger>;

/** The outcomes of an attempt that a chat server can know, with their meaning. */
export const traceOutcomes = {
  accepted: 'The provider accepted it.',
  queued: 'The bouncer keeps it and tries again.',
  given_up: 'The provider did not take it in time, and the bouncer gave up.',
  dead: 'The token of the device is invalid, and its registration has ended.',
  quarantined: 'The provider says that the token belongs to another app; the device is skipped.',
  refused: 'This notification cannot be sent; the device is fine.',
  configuration: 'The bouncer has no credentials for the provider.',
  taken: 'The bouncer took it. It does not tell what becomes of single notifications.',
  unanswered: 'The bouncer did not take it; the chat server tries again for a day.',
} as const satisfies Record<z.output<typeof OutcomeKind> | 'taken' | 'unanswered', string>;
export type TraceOutcome = keyof typeof traceOutcomes;
const TraceOutcome = z.enum(Object.keys(traceOutcomes) as [TraceOutcome, ...TraceOutcome[]]);

const ms = (description: string) =>
  z.int().meta({ description: `${description}, UNIX milliseconds` });

/** One request of the chat server to the bouncer with the notification. */
export const TraceAttempt = z
  .object({
    sent_ms: ms('When the request was sent'),
    answered_ms: ms('When it was answered or failed'),
    push_id: z.uuid().nullable().meta({ description: "The bouncer's ID of the notification" }),
    outcome: TraceOutcome,
    reason: z.string().nullable().meta({ description: 'Why, if it was not accepted' }),
    provider_id: z.string().nullable().meta({ description: "The provider's ID" }),
  })
  .meta({ id: 'PushTraceAttempt' });
export type TraceAttempt = z.output<typeof TraceAttempt>;

/**
 * The trace of one notification to one device at the chat server. It has neither the token nor the
 * answer of the provider, and does not keep the text.
 */
export const PushTrace = z
  .object({
    trace_id: z.int(),
    cipher_id: CipherId,
    push_account_id: z.string().nullable().meta({
      description: 'The device, in decimal digits; null if it registered by device_id',
    }),
    device_id: z.int().nullable().default(null).meta({
      description: 'The device, of level 468 and later; null if it registered by push_account_id',
    }),
    token_kind: TokenKind,
    type: z.enum(['message', 'remove', 'test']),
    message_id: MessageId.nullable().meta({ description: 'Of the type message' }),
    trigger: PushTrigger.nullable().meta({ description: 'Why it is pushed, of the type message' }),
    waited_for_idle: z.boolean().meta({
      description: 'The user was online: it waited until they were idle',
    }),
    event_ms: ms('When it was decided to push').nullable(),
    job_ms: ms('When the job that pushes it ran').nullable(),
    encrypted_ms: ms('When it was encrypted'),
    plaintext_bytes: z.int(),
    padded_bytes: z.int().meta({ description: 'With padding; equal without' }),
    max_plaintext_bytes: z.literal(MAX_PUSH_BYTES),
    key_fingerprint: z.string().nullable().meta({
      description:
        "16 hexadecimal digits of the SHA-256 of the device's push_public_key; null for a device that has a push_key_id",
    }),
    push_key_id: PushKeyId.nullable().default(null),
    attempts: z.array(TraceAttempt),
    outcome: TraceOutcome.meta({ description: 'Of the last attempt' }),
    explanation: z.string().meta({ description: 'The outcome in words, with its reason' }),
  })
  .meta({ id: 'PushTrace' });
export type PushTrace = z.output<typeof PushTrace>;

/**
 * A push of yours was sent, or sent again. Only for queues with the capability `console_events`. Events
 * about one trace that wait in a queue are delivered as one, the newest.
 */
export const PushTraceEvent = z.object({
  type: z.literal('push_trace'),
  op: z.enum(['add', 'update']),
  trace: PushTrace,
});
type PushTraceEvent = z.output<typeof PushTraceEvent>;

export const mergePushTraces = (
  earlier: PushTraceEvent,
  later: PushTraceEvent,
): PushTraceEvent | undefined =>
  earlier.trace.trace_id === later.trace.trace_id ? { ...later, op: earlier.op } : undefined;

/** How long traces are kept, in seconds, and the most traces of each user. */
export const PUSH_TRACE_LIFETIME = 3 * 86_400;
export const MAX_PUSH_TRACES = 500;

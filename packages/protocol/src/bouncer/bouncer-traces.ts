import { z } from 'zod';

import { OutcomeKind } from '../push/push-outcome.ts';
import { CipherId } from '../push/push-traces.ts';
import { TokenId, TokenKind } from '../push/push.ts';
import { Timestamp } from '../values/fields.ts';

const ms = z.int().meta({ description: 'UNIX milliseconds' });

/** An attempt of the bouncer to send a notification to its provider. */
export const LinkAttempt = z
  .object({
    number: z.int().meta({ description: 'From 1' }),
    started_ms: ms,
    answered_ms: ms,
    environment: z.string().nullable().meta({ description: 'Of APNs: production or sandbox' }),
    app: z.string().nullable().meta({ description: 'apns-topic, or the app of the device' }),
    bytes: z.int().nullable().meta({ description: 'What the provider measures' }),
    max_bytes: z.int().nullable(),
    session: z.int().nullable().meta({ description: 'The connection, numbered by its node' }),
    waited_ms: z.int().nullable().meta({ description: 'Until a connection had room for it' }),
    status: z.int().nullable().meta({ description: 'Null: no request, or no answer' }),
    retry_after: z.number().nullable().meta({ description: 'As the provider asked, in seconds' }),
    verdict: z.string().meta({ description: 'What the bouncer made of the answer' }),
    reason: z.string().nullable(),
    wait_seconds: z.number().nullable().meta({ description: 'Until the next attempt' }),
  })
  .meta({ id: 'LinkAttempt' });
export type LinkAttempt = z.output<typeof LinkAttempt>;

/**
 * - `request`: while the chat server waited for its answer.
 * - `retry`: later, from the queue.
 * - `repetition`: the chat server asked again with the same Idempotency-Key and got the first answer.
 */
export const PushStage = z
  .object({
    stage: z.enum(['request', 'retry', 'repetition']),
    began_ms: ms,
    ended_ms: ms,
    attempts: z.array(LinkAttempt),
    outcome: OutcomeKind,
    reason: z.string().nullable(),
    provider_id: z.string().nullable(),
    retry_at: Timestamp.nullable().meta({ description: 'Of a queued notification, UNIX seconds' }),
    trace_id: z.string().nullable().default(null).meta({
      description: 'W3C Trace Context: the logs of chat server and bouncer have it. Null: not sent',
    }),
  })
  .meta({ id: 'PushStage' });
export type PushStage = z.output<typeof PushStage>;

/** The trace of one notification at the bouncer. It has neither the token nor the ciphertext. */
export const BouncerTrace = z
  .object({
    cipher_id: CipherId,
    push_id: z.uuid().meta({ description: 'For APNs the apns-id' }),
    server_uuid: z.uuid(),
    realm_uuid: z.uuid(),
    device_id: z.int().nullable().meta({
      description: 'Null: the realm has no device with this token_id',
    }),
    token_id: TokenId.nullable().default(null).meta({
      description: 'Of a notification that names its device by it',
    }),
    provider: TokenKind.nullable().meta({ description: 'Null: the realm has no such device' }),
    token_hash: z.string().nullable().meta({
      description: 'Names the token in the log of the bouncer',
    }),
    priority: z.string().meta({ description: 'As the chat server asked' }),
    expires_ms: ms.nullable().meta({ description: 'Null: the request does not say' }),
    stages: z.array(PushStage),
    outcome: OutcomeKind.meta({ description: 'Of the last stage but repetitions' }),
    explanation: z.string().meta({ description: 'The outcome in words, with its reason' }),
  })
  .meta({ id: 'BouncerTrace' });
export type BouncerTrace = z.output<typeof BouncerTrace>;

/** Ciphertexts that one request for traces may name. */
export const MAX_TRACED_CIPHERS = 100;

import type { MessageId, PushOutcome, TraceAttempt, UserId } from '@bellhop/protocol';
import { cipherId, keyFingerprint } from '@bellhop/push-crypto/cipher-id';

import type { Change } from '../../../engine/call.ts';
import type { Realm } from '../../../engine/caller.ts';
import type { BouncerFailure } from '../../../model/devices/bouncer-failure.ts';
import type { EncryptedNotification } from '../../../model/devices/encrypt-notifications.ts';
import { addAttempts, type AttemptedPush } from '../../../model/devices/traces/trace-rows.ts';
import { type BouncerAnswer, isDead, outcomeAt } from '../bouncer-answer.ts';
import { traceOf } from './present-trace.ts';

type TraceChange = Pick<Change<'push_trace'>, 'db' | 'emit'>;
/** When a request was sent and when it ended, UNIX milliseconds. */
type Times = Pick<TraceAttempt, 'sent_ms' | 'answered_ms'>;
interface TimedAnswer extends Times {
  readonly response: BouncerAnswer;
}

/** Records that the bouncer has answered a request with these notifications. */
export const recordAnswer = (
  change: TraceChange,
  realm: Pick<Realm, 'id'>,
  notifications: readonly EncryptedNotification[],
  answer: TimedAnswer,
): Promise<void> => {
  const { response, sent_ms, answered_ms } = answer;
  const of = notifications.length;
  return record(change, realm, notifications, ({ device }, at) => ({
    sent_ms,
    answered_ms,
    ...(attemptOf(outcomeAt(response, { at, of })) ?? (isDead(device, response) ? DEAD : TAKEN)),
  }));
};

/** Records that a request with these notifications failed. */
export const recordFailure = (
  change: TraceChange,
  realm: Pick<Realm, 'id'>,
  notifications: readonly EncryptedNotification[],
  { failure, ...times }: Times & { readonly failure: BouncerFailure },
): Promise<void> =>
  record(change, realm, notifications, () => ({
    ...times,
    ...unknownPush,
    outcome: failure.kind === 'refused' ? 'refused' : 'unanswered',
    reason: failure.reason.slice(0, MAX_REASON),
  }));

type AttemptResult = Omit<TraceAttempt, keyof Times>;
const MAX_REASON = 500;
const unknownPush = { push_id: null, provider_id: null };
const TAKEN: AttemptResult = { ...unknownPush, outcome: 'taken', reason: null };
const DEAD: AttemptResult = { ...unknownPush, outcome: 'dead', reason: null };

const attemptOf = (outcome: PushOutcome | undefined): AttemptResult | undefined =>
  outcome && {
    push_id: outcome.push_id,
    outcome: outcome.outcome,
    reason: outcome.reason?.slice(0, MAX_REASON) ?? null,
    provider_id: outcome.provider_id?.slice(0, MAX_REASON) ?? null,
  };

async function record(
  { db, emit }: TraceChange,
  { id: realm }: Pick<Realm, 'id'>,
  notifications: readonly EncryptedNotification[],
  attemptAt: (notification: EncryptedNotification, at: number) => TraceAttempt,
): Promise<void> {
  const pushes = notifications.map((one, at) => pushOf(one, attemptAt(one, at)));
  for (const row of await addAttempts(db, realm, pushes)) {
    const op = row.attempts.length === 1 ? 'add' : 'update';
    emit({ type: 'push_trace', op, trace: traceOf(row) }, [row.user_id]);
  }
}

function pushOf(
  { device, payload, cause, encryption, request }: EncryptedNotification,
  attempt: TraceAttempt,
): AttemptedPush {
  return {
    cipher_id: cipherId(request.payload.encrypted_data),
    user_id: payload.user_id as UserId,
    push_account_id: device.form === 'account' ? device.push_account_id : null,
    device_id: device.form === 'token' ? device.id : null,
    message_id: payload.type === 'message' ? (payload.message_id as MessageId) : null,
    facts: {
      type: payload.type,
      token_kind: device.token_kind,
      // A fingerprint of a secret key would tell nobody anything that its number does not.
      ...(device.form === 'token'
        ? { key_fingerprint: null, push_key_id: device.push_key_id }
        : { key_fingerprint: keyFingerprint(device.push_public_key), push_key_id: null }),
      ...cause,
      ...encryption,
    },
    attempt,
  };
}

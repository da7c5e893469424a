import type { MessageId, PushOutcome, TraceAttempt, UserId } from '@bellhop/protocol';
import { cipherId, keyFingerprint } from '@bellhop/push-crypto/cipher-id';

import type { Change } from '../../../engine/call.ts';
import type { Realm } from '../../../engine/caller.ts';
import type { BouncerFailure } from '../../../model/devices/bouncer-failure.ts';
import type { EncryptedNotification } from '../../../model/devices/encrypt-notifications.ts';
import { addAttempts, type AttemptedPush } from '../../../model/devices/traces/trace-rows.ts';
import { traceOf } from './present-trace.ts';

type TraceChange = Pick<Change<'push_trace'>, 'db' | 'emit'>;
/** When a request was sent and when it ended, UNIX milliseconds. */
type Times = Pick<TraceAttempt, 'sent_ms' | 'answered_ms'>;
interface BouncerAnswer extends Times {
  readonly response: {
    readonly outcomes: readonly PushOutcome[];
    readonly delete_device_ids: readonly number[];
  };
}

/** Records that the bouncer has answered a request with these notifications. */
export const recordAnswer = (
  change: TraceChange,
  realm: Pick<Realm, 'id'>,
  notifications: readonly EncryptedNotification[],
  answer: BouncerAnswer,
): Promise<void> => {
  const { response, sent_ms, answered_ms } = answer;
  const outcomes = response.outcomes.length === notifications.length ? response.outcomes : [];
  return record(change, realm, notifications, ({ device }, at) => ({
    sent_ms,
    answered_ms,
    ...(attemptOf(outcomes[at]) ??
      (response.delete_device_ids.includes(device.bouncer_device_id) ? DEAD : TAKEN)),
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
  const { push_account_id, push_public_key, token_kind } = device;
  return {
    cipher_id: cipherId(request.payload.encrypted_data),
    user_id: payload.user_id as UserId,
    push_account_id,
    message_id: payload.type === 'message' ? (payload.message_id as MessageId) : null,
    facts: {
      type: payload.type,
      token_kind,
      key_fingerprint: keyFingerprint(push_public_key),
      ...cause,
      ...encryption,
    },
    attempt,
  };
}

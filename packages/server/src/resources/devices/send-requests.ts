import { randomUUID } from 'node:crypto';

import { enqueue } from '@bellhop/jobs';
import { MAX_PUSH_REQUESTS, newTraceparent, traceIdOf, type Traceparent } from '@bellhop/protocol';

import type { App } from '../../engine/app.ts';
import type { Change } from '../../engine/call.ts';
import type { Realm } from '../../engine/caller.ts';
import { activeDevices } from '../../model/devices/active-devices.ts';
import { type BouncerFailure, failureOf } from '../../model/devices/bouncer-failure.ts';
import type { EncryptedNotification } from '../../model/devices/encrypt-notifications.ts';
import { announceRealms } from './announce-realms.ts';
import { endOf, outcomeAt } from './bouncer-answer.ts';
import { endReported } from './end-devices.ts';
import { recordPushStatus } from './record-push-status.ts';
import { recordAnswer, recordFailure } from './traces/record-attempts.ts';

export interface Sender {
  readonly app: Pick<App, 'bouncer' | 'log' | 'nowMs'>;
  readonly realm: Realm;
  readonly change: <T>(
    work: (change: Change<'push_device' | 'device' | 'push_trace' | 'realm'>) => Promise<T>,
  ) => Promise<T>;
}
interface SendOptions {
  /** Joins the log of the bouncer with ours; a new trace by default. */
  readonly traceparent?: Traceparent;
  /** The bouncer carries a request out once for each key. */
  readonly idempotencyKey: string;
  readonly signal?: AbortSignal;
}
/** What came of notifications, or why the request to the bouncer failed. */
export type NotificationResult<N> =
  | {
      /** The number of devices that still exist. */
      readonly remaining: number;
      /** Those to a dead token that a newer one of its device has replaced meanwhile, with the newer one. */
      readonly replaced: readonly N[];
    }
  | { readonly failure: BouncerFailure };

/**
 * Sends notifications through the bouncer, at most MAX_PUSH_REQUESTS. Ends devices that the bouncer
 * reports as dead, and those that have to register again. If the bouncer refuses the request, the halves
 * are sent alone, so that one notification fails no other. Do not call it in a transaction: it may take
 * 15 s.
 */
export async function sendRequests<N extends EncryptedNotification>(
  sender: Sender,
  notifications: readonly N[],
  options: SendOptions,
): Promise<NotificationResult<N>> {
  const { app, realm, change } = sender;
  const { bouncer, nowMs } = app;
  if (!bouncer) throw new Error('No push bouncer is configured');
  if (notifications.length > MAX_PUSH_REQUESTS) throw new Error('Too many notifications at once');
  const { traceparent = newTraceparent() } = options;
  const push_requests = notifications.map(({ request }) => request);
  const sent_ms = nowMs();
  try {
    const response = await bouncer.push.notify(
      { realm_uuid: realm.uuid, push_requests },
      { ...options, traceparent },
    );
    const answer = { response, sent_ms, answered_ms: nowMs() };
    for (const outcome of response.outcomes)
      if (!['accepted', 'queued', 'dead'].includes(outcome.outcome))
        app.log.warn(
          { ...outcome, trace_id: traceIdOf(traceparent) },
          'push bouncer: a notification cannot be delivered',
        );
    const of = notifications.length;
    const ends = notifications.flatMap((notification, at) => {
      const { device } = notification;
      const reason = endOf(device, response, outcomeAt(response, { at, of }));
      return reason === undefined ? [] : [{ notification, device, reason }];
    });
    const replaced = await change(async (recording) => {
      await endReported(recording, realm, ends);
      await recordPushStatus(recording, { id: realm.id, ...response.realm_push_status });
      await recordAnswer(recording, realm, notifications, answer);
      const dead = ends.map(({ notification }) => notification);
      return toNewerTokens(recording, realm, dead);
    });
    return { remaining: notifications.length - ends.length, replaced };
  } catch (error) {
    const failure = failureOf(error);
    // The bouncer knows the key with other items: a repetition has items that it did not have before.
    if (failure.code === 'IDEMPOTENCY_KEY_REUSED')
      return sendRequests(sender, notifications, { ...options, idempotencyKey: randomUUID() });
    if (failure.kind === 'refused' && notifications.length > 1)
      return sendHalves(sender, notifications, options);
    const failed = { failure, sent_ms, answered_ms: nowMs() };
    await change((recording) => recordFailure(recording, realm, notifications, failed));
    await recordRejection(sender, failure);
    return { failure };
  }
}

/** Those of notifications to dead tokens whose device has another token now, with that one. */
async function toNewerTokens<N extends EncryptedNotification>(
  { db }: Pick<Change<never>, 'db'>,
  realm: Realm,
  dead: readonly N[],
): Promise<N[]> {
  const users = dead.flatMap(({ device: { form, user_id } }) => (form === 'token' ? user_id : []));
  if (users.length === 0) return [];
  const active = await activeDevices(db, realm.id, { users });
  const tokens = new Map(active.flatMap((one) => (one.form === 'token' ? [[one.id, one]] : [])));
  return dead.flatMap((notification) => {
    const { device } = notification;
    const newer = device.form === 'token' ? tokens.get(device.id) : undefined;
    const isReplaced = device.form === 'token' && newer && newer.token_id !== device.token_id;
    return isReplaced ? [{ ...notification, device: newer }] : [];
  });
}

async function sendHalves<N extends EncryptedNotification>(
  sender: Sender,
  notifications: readonly N[],
  { idempotencyKey, ...options }: SendOptions,
): Promise<NotificationResult<N>> {
  const middle = Math.ceil(notifications.length / 2);
  const halves = [notifications.slice(0, middle), notifications.slice(middle)];
  const replaced: N[] = [];
  let remaining = 0;
  for (const [at, half] of halves.entries()) {
    const keyed = { ...options, idempotencyKey: `${idempotencyKey}.${at}` };
    const result = await sendRequests(sender, half, keyed);
    if ('remaining' in result) {
      remaining += result.remaining;
      replaced.push(...result.replaced);
    } else if (result.failure.kind !== 'refused') return result;
    else
      sender.app.log.error(
        { device_ids: half.map(({ device }) => device.id), reason: result.failure.reason },
        'push bouncer: a notification was refused',
      );
  }
  return { remaining, replaced };
}

/** Stores that the realm cannot push, if the bouncer rejects the realm; announces a realm unknown to it. */
async function recordRejection(
  { realm: { id }, change }: Sender,
  { code }: BouncerFailure,
): Promise<void> {
  const isMissing = code === 'MISSING_REMOTE_REALM';
  if (!isMissing && code !== 'PUSH_NOTIFICATIONS_DISALLOWED') return;
  await change(async (recording) => {
    await recordPushStatus(recording, { id, can_push: false, expected_end_timestamp: null });
    if (isMissing) await enqueue(recording.db, announceRealms, {}, { dedupe: 'soon' });
  });
}

import { randomUUID } from 'node:crypto';

import { MAX_PUSH_REQUESTS, newTraceparent, traceIdOf } from '@bellhop/protocol';

import type { JobApp } from '../../engine/app.ts';
import type { Realm } from '../../engine/caller.ts';
import type { ActiveDevice } from '../../model/devices/active-devices.ts';
import { type BouncerFailure, logFailure } from '../../model/devices/bouncer-failure.ts';
import {
  type DeviceNotification,
  encryptNotifications,
  type EncryptedNotification,
} from '../../model/devices/encrypt-notifications.ts';
import * as requests from '../../model/devices/push-request-queries.ts';
import type { BouncerRequest } from '../../model/devices/request-for.ts';
import { type Sender, sendRequests } from './send-requests.ts';

/** A notification of a job. */
export interface JobNotification extends DeviceNotification {
  /** The same in all attempts of the job, unique in it. */
  readonly id: string;
}
interface JobAttempt {
  readonly jobId: string;
  readonly signal: AbortSignal;
}

/**
 * Sends the notifications of a job, each once, however often the job is repeated. Requests are
 * stored before they are sent, and a repeated attempt sends the same bytes with the same
 * Idempotency-Key, without notifications that must no longer be sent. One to a dead token goes to the newer
 * token of its device, if the phone has replaced it meanwhile. Delete the stored requests when the job
 * ends. Returns the reason to repeat the job, if there is one.
 */
export async function notifyOnce(
  app: JobApp,
  realm: Realm,
  notifications: readonly JobNotification[],
  { jobId, signal }: JobAttempt,
): Promise<BouncerFailure | undefined> {
  const job = { realm_id: realm.id, job_id: jobId };
  const left = new Map(notifications.map((one) => [one.id, one]));
  // One trace for all attempts.
  const traceparent = newTraceparent(jobId.replaceAll('-', ''));
  const log = app.log.child({ trace_id: traceIdOf(traceparent) });
  const sender: Sender = { app, realm, change: (work) => app.change(realm, work) };
  const replaced: JobNotification[] = [];
  const send = async (
    batch: readonly (JobNotification & EncryptedNotification)[],
    idempotencyKey: string,
  ) => {
    const result = await sendRequests(sender, batch, { idempotencyKey, traceparent, signal });
    if ('replaced' in result) {
      replaced.push(...result.replaced);
      return undefined;
    }
    logFailure({ log }, result.failure, 'notifications could not be sent');
    // Refused for its content: the same content would be refused again.
    return result.failure.kind === 'refused' ? undefined : result.failure;
  };
  const stored = await requests.ofJob(app.db.kysely, job);
  const chosen = chosenItems(stored, left);
  for (const { idempotency_key, items } of stored) {
    const repeated = items.flatMap((item) => {
      const one = left.get(item.id);
      if (!one || chosen.get(item.id) !== item) return [];
      const { request, encryption } = item;
      return [{ ...one, device: asSent(one.device, request), request, encryption }];
    });
    for (const { id } of repeated) left.delete(id);
    const failure = repeated.length > 0 ? await send(repeated, idempotency_key) : undefined;
    if (failure) return failure;
  }
  const sendNew = async (fresh: readonly JobNotification[]) => {
    for (let at = 0; at < fresh.length; at += MAX_PUSH_REQUESTS) {
      const batch = fresh.slice(at, at + MAX_PUSH_REQUESTS);
      const encrypted = await encryptNotifications(app, batch);
      const idempotencyKey = randomUUID();
      const items = encrypted.map(({ id, device, request, encryption }) => ({
        id,
        ...(device.form === 'account' && { push_public_key: device.push_public_key }),
        request,
        encryption,
      }));
      const request = { idempotency_key: idempotencyKey, items };
      await app.change(realm, ({ db }) => requests.add(db, job, request));
      const failure = await send(encrypted, idempotencyKey);
      if (failure) return failure;
    }
    return undefined;
  };
  const failure = await sendNew([...left.values()]);
  // Once: a phone whose newer token is dead too registers again.
  return failure ?? (await sendNew(replaced.splice(0)));
}

/**
 * The stored item to repeat of each notification. One for a former token of the device is repeated if there
 * is none for the newer: it may have arrived, and if the token is dead, the newer one follows.
 */
function chosenItems(
  stored: readonly requests.StoredRequest[],
  notifications: ReadonlyMap<string, JobNotification>,
): ReadonlyMap<string, requests.StoredItem> {
  const chosen = new Map<string, requests.StoredItem>();
  for (const item of stored.flatMap(({ items }) => items)) {
    const { device } = notifications.get(item.id) ?? {};
    if (!device || !isForDevice(device, item)) continue;
    const isNewest = device.form === 'token' && device.token_id === item.request.token_id;
    if (isNewest || !chosen.has(item.id)) chosen.set(item.id, item);
  }
  return chosen;
}

/** Whether what was sent to a device can still be read there: phones by token keep their former keys. */
const isForDevice = (device: ActiveDevice, { request, push_public_key }: requests.StoredItem) =>
  device.form === 'token' ||
  (device.bouncer_device_id === request.device_id && device.push_public_key === push_public_key);

/** The device with the token and the key of a request to it. */
const asSent = (device: ActiveDevice, { token_id, payload }: BouncerRequest): ActiveDevice =>
  device.form === 'token' && token_id !== undefined
    ? { ...device, token_id, push_key_id: payload.push_key_id }
    : device;

/** Names a device in the notifications of a job. */
export const notificationId = ({ form, id }: ActiveDevice): string =>
  // Those by push_account_id had their numbers alone before there were others.
  form === 'token' ? `device ${id}` : String(id);

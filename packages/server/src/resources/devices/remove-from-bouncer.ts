import { ConnectionFailed } from '@bellhop/client';
import { done, enqueueAll, retry } from '@bellhop/jobs';
import { RealmId } from '@bellhop/protocol';
import { z } from 'zod';

import { ApiError } from '../../engine/api-error.ts';
import type { App } from '../../engine/app.ts';
import type { Tx } from '../../engine/call.ts';
import { job } from '../../engine/job.ts';
import { failureOf, logFailure, retryAfter } from '../../model/devices/bouncer-failure.ts';
import * as queries from '../../model/devices/queries.ts';

/** How many devices one job removes, one after the other. */
const MAX_DEVICES = 50;

/** Removes devices from the bouncer, which then has their tokens no longer. */
export const removeFromBouncer = job({
  name: 'remove_from_bouncer',
  payload: z.object({ realm_id: RealmId, bouncer_device_ids: z.array(z.int()) }),
  lane: 'bouncer',
  retry: [2, 5, 15, 60, 300, ...Array<number>(24).fill(3_600)],
  timeoutMs: 70_000,
  async run({ realm_id, bouncer_device_ids }, app: App, { signal }) {
    const { bouncerV1 } = app;
    if (!bouncerV1) return done();
    // The bouncer has one device for a token, and may have answered already: another account of the phone,
    // or the newer registration of a device, would be left with one that is deleted.
    if (await queries.isRegistering(app.db.kysely, realm_id))
      return retry({ reason: 'a phone is registering, maybe with one of these devices' });
    const { uuid } = await app.realms.byId(realm_id);
    try {
      // A phone that has registered again has the same device.
      for (const device_id of await queries.unusedAmong(
        app.db.kysely,
        realm_id,
        bouncer_device_ids,
      ))
        await bouncerV1.devices.remove({ realm_uuid: uuid, device_id }, { signal }).catch(ifGone);
      return done();
    } catch (error) {
      const failure = failureOf(error);
      logFailure(app, failure, 'devices could not be removed yet');
      return retryAfter(failure);
    }
  },
});

/** The bouncer has no such device, or, as the public one, no such operation. */
function ifGone(error: unknown): void {
  const isAnswer = error instanceof ApiError || error instanceof ConnectionFailed;
  if (!isAnswer || error.status !== 404) throw error;
}

/**
 * Until the bouncer forgets a token that a newer one of its device has replaced: notifications to it may be
 * on their way.
 */
export const REPLACED_TOKEN_MS = 10 * 60_000;

/** Adds the jobs that remove these devices. */
export async function enqueueRemovals(
  tx: Tx,
  realm_id: RealmId,
  deviceIds: readonly number[],
  delayMs = 0,
): Promise<void> {
  const items = [];
  for (let at = 0; at < deviceIds.length; at += MAX_DEVICES)
    items.push({
      payload: { realm_id, bouncer_device_ids: deviceIds.slice(at, at + MAX_DEVICES) },
      delayMs,
    });
  await enqueueAll(tx, removeFromBouncer, items);
}

import { type RealmId, UNCLAIMED_DAYS } from '@bellhop/protocol';
import { z } from 'zod';

import type { JobApp } from '../../engine/app.ts';
import { job } from '../../engine/job.ts';
import { eachRealm } from '../../every-realm.ts';
import * as queries from '../../model/uploads/queries.ts';
import { removeUploads } from './remove-uploads.ts';

const DAY = 86_400;
/** An upload may take an hour. One that its node left behind holds bytes of its owner's quota. */
const MAX_UPLOAD_SECONDS = 7200;

/**
 * Removes files that nothing has linked for a long time, and incomplete uploads. Files that drafts
 * or scheduled messages of their owner link stay for another term.
 */
export async function sweep(app: JobApp, signal?: AbortSignal): Promise<number> {
  const now = app.now();
  const abandoned = {
    unclaimedBefore: now - UNCLAIMED_DAYS * DAY,
    begunBefore: now - MAX_UPLOAD_SECONDS,
  };
  let total = 0;
  const sweepRealm = async (id: RealmId) => {
    await app.change({ id }, ({ db }) => queries.renewUsed(db, id, { ...abandoned, now }));
    for (let removed = 1; removed > 0; total += removed)
      removed = await app.change({ id }, async (change) =>
        removeUploads(change, { id }, await queries.abandonedIn(change.db, id, abandoned)),
      );
  };
  await eachRealm(await queries.realmsWithAbandoned(app.db.kysely, abandoned), sweepRealm, signal);
  return total;
}

export const sweepUploads = job<object>({
  name: 'sweep_uploads',
  payload: z.object({}),
  retry: [60, 600],
  everySeconds: 3600,
  timeoutMs: 600_000,
  async run(_payload, app, { signal }) {
    const removed = await sweep(app, signal);
    if (removed > 0) app.log.info({ removed }, 'removed uploads that no message links');
  },
});

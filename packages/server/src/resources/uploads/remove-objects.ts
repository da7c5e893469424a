import type { RealmId } from '@bellhop/protocol';
import { z } from 'zod';

import { job } from '../../engine/job.ts';
import { eachRealm } from '../../every-realm.ts';
import type { FileStore } from '../../files/file-store.ts';
import type { FilesDatabase } from '../../model/uploads/database-files.ts';
import * as places from '../../model/uploads/place-queries.ts';

export interface LooseObjects extends FilesDatabase {
  readonly objects: FileStore<string>;
  /** UNIX seconds. */
  readonly now: () => number;
  readonly signal?: AbortSignal;
}

/** Removes the objects that no file has, and returns how many those were. */
export async function removeLooseObjects(options: LooseObjects): Promise<number> {
  const { db, transact, objects, signal } = options;
  const now = options.now();
  let removed = 0;
  const removeOf = async (id: RealmId) => {
    while (!signal?.aborted) {
      const keys = await transact(id, (tx) => places.takeLooseObjects(tx, id, now));
      if (keys.length === 0) return;
      for (const key of keys) await objects.remove(key);
      await transact(id, (tx) => places.forgetObjects(tx, id, keys));
      removed += keys.length;
    }
  };
  await eachRealm(await places.realmsWithLooseObjects(db, now), removeOf, signal);
  return removed;
}

export const removeObjects = job<object>({
  name: 'remove_objects',
  payload: z.object({}),
  retry: [60, 600],
  everySeconds: 60,
  timeoutMs: 600_000,
  async run(_payload, app, { signal }) {
    const removed = await removeLooseObjects({
      db: app.db.kysely,
      transact: (id, work) => app.change({ id }, ({ db }) => work(db)),
      objects: app.files.objects(),
      now: app.now,
      signal,
    });
    if (removed > 0) app.log.info({ removed }, 'removed objects that no file has');
  },
});

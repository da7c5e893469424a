import type { RealmId } from '@bellhop/protocol';
import { z } from 'zod';

import type { JobApp } from './engine/app.ts';
import { job } from './engine/job.ts';
import * as queries from './model/realms/queries.ts';

interface RecurringWork {
  readonly name: string;
  /** Default: an hour. */
  readonly everySeconds?: number;
  /** The work for one realm. */
  readonly run: (app: JobApp, realm: RealmId) => Promise<unknown>;
}

/** A job that works through all realms again and again. */
export const everyRealm = ({ name, everySeconds = 3600, run }: RecurringWork) =>
  job<object>({
    name,
    payload: z.object({}),
    retry: [60, 600],
    everySeconds,
    timeoutMs: 600_000,
    async run(_payload, app, { signal }) {
      await eachRealm(await queries.ids(app.db.kysely), (id) => run(app, id), signal);
    },
  });

/**
 * Works through realms one by one until the signal is aborted. An error in one realm is thrown after the
 * work for the others.
 */
export async function eachRealm(
  ids: readonly RealmId[],
  work: (id: RealmId) => Promise<unknown>,
  signal?: AbortSignal,
): Promise<void> {
  const errors: unknown[] = [];
  for (const id of ids) {
    if (signal?.aborted) break;
    await work(id).catch((error: unknown) => errors.push(error));
  }
  if (errors.length > 0) throw errors[0];
}

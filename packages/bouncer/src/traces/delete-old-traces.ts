import { job } from '@bellhop/jobs';
import { z } from 'zod';

import type { App } from '../app.ts';
import type { BouncerTables } from '../tables.ts';
import { deleteOldRows } from './queries.ts';

const KEEP_MS = 3 * 86_400_000;

/** Deletes traces after 3 days, and the oldest of too many, once a minute. */
export const deleteOldTraces = job<object, App, BouncerTables>({
  name: 'bouncer.forget_traces',
  payload: z.object({}),
  retry: [60, 600],
  timeoutMs: 60_000,
  everySeconds: 60,
  run: (_payload, { database: { kysely }, config, now }, { signal }) => {
    const kept = { before: new Date(now() - KEEP_MS), limit: config.traces };
    return deleteOldRows(kysely, kept, signal);
  },
});

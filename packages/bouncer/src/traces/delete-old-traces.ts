import { job } from '@bellhop/jobs';
import { z } from 'zod';

import type { App } from '../app.ts';
import { deleteOldRows } from './queries.ts';

const KEEP_MS = 3 * 86_400_000;

/** Deletes traces after 3 days, and the oldest of too many, every 5 minutes. */
export const deleteOldTraces = job<object, App>({
  name: 'bouncer.forget_traces',
  payload: z.object({}),
  retry: [60, 600],
  timeoutMs: 60_000,
  everySeconds: 300,
  run: (_payload, { database: { kysely }, config, now }) =>
    deleteOldRows(kysely, new Date(now() - KEEP_MS), config.traces),
});

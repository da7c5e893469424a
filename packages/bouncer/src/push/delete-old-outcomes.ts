import { job } from '@bellhop/jobs';
import { z } from 'zod';

import type { App } from '../app.ts';
import type { BouncerTables } from '../tables.ts';
import { deleteOldEntries } from './feedback-log.ts';
import { deleteOldRequests } from './keyed-request.ts';

const DAY_MS = 86_400_000;
const KEEP_OUTCOMES_MS = 7 * DAY_MS;

/** Deletes outcomes after 7 days and Idempotency-Keys after one, every hour. */
export const deleteOldOutcomes = job<object, App, BouncerTables>({
  name: 'bouncer.forget_outcomes',
  payload: z.object({}),
  retry: [60, 600],
  timeoutMs: 60_000,
  everySeconds: 3_600,
  async run(_payload, { database: { kysely }, now }, { signal }) {
    await deleteOldEntries(kysely, new Date(now() - KEEP_OUTCOMES_MS), signal);
    await deleteOldRequests(kysely, new Date(now() - DAY_MS), signal);
  },
});

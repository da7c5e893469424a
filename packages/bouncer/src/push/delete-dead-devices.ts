import { job } from '@bellhop/jobs';
import type { Kysely } from 'kysely';
import { z } from 'zod';

import type { App } from '../app.ts';
import type { BouncerTables } from '../tables.ts';
import { deleteExpiredRegistrations } from './use-registration.ts';

/** Longer than any chat server takes to ask again, and than a registration stays valid. */
const KEEP_MS = 30 * 86_400_000;

/** Deletes the devices whose token has been dead for 30 days. */
export const deleteDead = (db: Kysely<BouncerTables>, nowMs: number): Promise<unknown> =>
  db
    .deleteFrom('device')
    .where('expired_at', '<', new Date(nowMs - KEEP_MS))
    .execute();

/** Deletes dead devices and the records of expired registrations once a day. */
export const deleteDeadDevices = job<object, App, BouncerTables>({
  name: 'bouncer.forget_dead_devices',
  payload: z.object({}),
  retry: [60, 600],
  timeoutMs: 60_000,
  everySeconds: 86_400,
  async run(_payload, { database, now }) {
    await deleteDead(database.kysely, now());
    await deleteExpiredRegistrations(database.kysely, now());
  },
});

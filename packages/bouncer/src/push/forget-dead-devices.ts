import { job } from '@bellhop/jobs';
import type { Kysely } from 'kysely';
import { z } from 'zod';

import type { App } from '../app.ts';
import type { BouncerTables } from '../tables.ts';

/** Long enough for every chat server to have been told, and for any registration to be too old. */
const KEPT_MS = 30 * 86_400_000;

/** Deletes the devices that have been dead for 30 days. */
export const forgetDead = (db: Kysely<BouncerTables>, nowMs: number): Promise<unknown> =>
  db
    .deleteFrom('device')
    .where('expired_at', '<', new Date(nowMs - KEPT_MS))
    .execute();

/** Does so once a day. */
export const forgetDeadDevices = job<object, App>({
  name: 'bouncer.forget_dead_devices',
  payload: z.object({}),
  retry: [60, 600],
  timeoutMs: 60_000,
  everySeconds: 86_400,
  async run(_payload, { database, now }) {
    await forgetDead(database.kysely, now());
  },
});

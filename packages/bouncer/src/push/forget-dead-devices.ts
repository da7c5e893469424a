import { job } from '@bellhop/jobs';
import { z } from 'zod';

import type { App } from '../app.ts';

const DAY_MS = 86_400_000;
/** Long enough for every chat server to have been told, and for any registration to be too old. */
const KEPT_DAYS = 30;

/** Deletes devices that have been dead for 30 days, once a day. */
export const forgetDeadDevices = job<Record<string, never>, App>({
  name: 'bouncer.forget_dead_devices',
  payload: z.record(z.string(), z.never()),
  retry: [60, 600],
  timeoutMs: 60_000,
  everySeconds: 86_400,
  async run(_payload, { database, now }) {
    await database.kysely
      .deleteFrom('device')
      .where('expired_at', '<', new Date(now() - KEPT_DAYS * DAY_MS))
      .execute();
  },
});

import { job } from '@bellhop/jobs';
import { z } from 'zod';

import type { App } from '../app.ts';
import { deleteOldUses } from '../quotas/queries.ts';
import { deleteOldInvitations } from '../servers/invitations.ts';
import type { BouncerTables } from '../tables.ts';
import { deleteOldEntries } from './audit-log.ts';

const DAY_MS = 86_400_000;
/** Longer than the longest window. */
const KEEP_USES_MS = 2 * DAY_MS;
const KEEP_INVITATIONS_MS = 30 * DAY_MS;

/** Deletes old entries of the audit log, counts of quotas whose window has ended, and invitations 30 days after they expired, once a day. */
export const deleteOldRecords = job<object, App, BouncerTables>({
  name: 'bouncer.forget_audit_entries',
  payload: z.object({}),
  retry: [60, 600],
  timeoutMs: 60_000,
  everySeconds: 86_400,
  async run(_payload, { database: { kysely }, config, now }) {
    await deleteOldEntries(kysely, new Date(now() - config.auditDays * DAY_MS));
    await deleteOldUses(kysely, new Date(now() - KEEP_USES_MS));
    await deleteOldInvitations(kysely, new Date(now() - KEEP_INVITATIONS_MS));
  },
});

import { type Job, job } from '@bellhop/jobs';
import { z } from 'zod';

import type { App } from './app.ts';
import { sweepAudit } from './audit/audit-log.ts';
import { sweepDeadDevices } from './devices/queries.ts';
import { sweepRegistrations } from './devices/use-registration.ts';
import { sweepOutcomes } from './outcomes/feedback-log.ts';
import { sweepKeys } from './outcomes/keyed-request.ts';
import { sweepUses } from './quotas/queries.ts';
import { sweepInvitations } from './servers/invitations.ts';
import type { Sweep } from './storage/sweep.ts';
import type { BouncerTables } from './storage/tables.ts';
import { sweepTraces } from './traces/queries.ts';

const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;

/** What the bouncer deletes when it is too old, and how often it looks. */
export const upkeep: readonly Job<object, App, BouncerTables>[] = [
  sweeping('bouncer.forget_traces', MINUTE, [sweepTraces]),
  sweeping('bouncer.forget_outcomes', HOUR, [sweepOutcomes, sweepKeys]),
  sweeping('bouncer.forget_dead_devices', DAY, [sweepDeadDevices, sweepRegistrations]),
  sweeping('bouncer.forget_audit_entries', DAY, [sweepAudit, sweepUses, sweepInvitations]),
];

function sweeping(name: string, everySeconds: number, sweeps: readonly Sweep[]) {
  return job<object, App, BouncerTables>({
    name,
    payload: z.object({}),
    retry: [60, 600],
    timeoutMs: 60_000,
    everySeconds,
    async run(_payload, { database: { kysely: db }, config: keep, now }, { signal }) {
      for (const sweep of sweeps) await sweep({ db, now: now(), keep, signal });
    },
  });
}

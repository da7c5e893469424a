import { afterAll, beforeAll, expect, test } from 'vitest';

import { sweepAudit } from '../audit/audit-log.ts';
import { invite } from '../operator/invite.ts';
import type { Operator } from '../operator/operator.ts';
import { DAY_MS } from '../storage/sweep.ts';
import { startTestBouncer, type TestBouncer } from '../test-bouncer.fixture.ts';
import { sweepInvitations } from './invitations.ts';

let bouncer: TestBouncer;
beforeAll(async () => {
  bouncer = await startTestBouncer();
});
afterAll(() => bouncer[Symbol.asyncDispose]());

test('entries of the audit log and expired invitations are deleted after their time', async () => {
  const operator: Operator = { database: bouncer.database, name: 'olivia', now: bouncer.now };
  await invite(operator, { validMs: 1_000, serverUuid: undefined });
  const left = async () => [
    (await bouncer.kysely.selectFrom('audit_entry').select('action').execute()).length,
    (await bouncer.kysely.selectFrom('invitation').select('used_at').execute()).length,
  ];
  const sweepAfter = async (ms: number) => {
    await bouncer.sweep(sweepAudit, ms, { auditDays: 30 });
    await bouncer.sweep(sweepInvitations, ms);
  };
  await sweepAfter(30 * DAY_MS - 60_000);
  expect(await left()).toEqual([1, 1]);
  await sweepAfter(30 * DAY_MS + 60_000);
  expect(await left()).toEqual([0, 0]);
});

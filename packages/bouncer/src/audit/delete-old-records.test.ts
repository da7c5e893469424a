import { afterAll, beforeAll, expect, test } from 'vitest';

import { type Operator, invite } from '../operator.ts';
import { deleteOldInvitations } from '../servers/invitations.ts';
import { startTestBouncer, type TestBouncer } from '../test-bouncer.fixture.ts';
import { deleteOldEntries } from './audit-log.ts';

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
  const deleteBefore = async (before: Date) => {
    await deleteOldEntries(bouncer.kysely, before);
    await deleteOldInvitations(bouncer.kysely, before);
  };
  await deleteBefore(new Date(bouncer.now() - 60_000));
  expect(await left()).toEqual([1, 1]);
  await deleteBefore(new Date(bouncer.now() + 60_000));
  expect(await left()).toEqual([0, 0]);
});

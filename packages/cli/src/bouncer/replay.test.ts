import { randomUUID } from 'node:crypto';

import { type BouncerTables, migrations } from '@bellhop/bouncer';
import { createTestDatabase } from '@bellhop/postgres/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { runBellhop } from '../run-bellhop.fixture.ts';

const created = await createTestDatabase<BouncerTables>({ migrations });
const { kysely } = created.database;
const realmUuid = randomUUID();

beforeAll(async () => {
  vi.stubEnv('BELLHOP_BOUNCER_DATABASE_URL', created.url);
  for (const [device_id, state] of [
    [1, 'dead'],
    [2, 'dead'],
    [3, 'queued'],
  ] as const) {
    const payload = {
      push_id: randomUUID(),
      realm_uuid: realmUuid,
      server_uuid: randomUUID(),
      device_id,
      accepted_at: 1_700_000_000_000,
      give_up_at: 1_700_000_001_000,
    };
    await sql`insert into job (id, name, lane, payload, state, due_at, reason)
      values (${randomUUID()}, 'bouncer.push_apns', 'apns', ${JSON.stringify(payload)}::jsonb,
        ${state}, now() + interval '1 hour', 'ServiceUnavailable')`.execute(kysely);
  }
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await created[Symbol.asyncDispose]();
});

const replay = (...flags: readonly string[]) => runBellhop('bouncer', 'replay', ...flags);
const states = async () => {
  const { rows } = await sql<{ state: string; is_due: boolean; is_late: boolean }>`
    select state, due_at <= now() as is_due,
      to_timestamp((payload->>'give_up_at')::float8 / 1000) < now() as is_late
    from job where name = 'bouncer.push_apns'
    order by (payload->>'device_id')::bigint`.execute(kysely);
  return rows;
};

test('bellhop bouncer replay --dry-run lists the given-up notifications, and changes nothing', async () => {
  const before = await states();
  const { code, out } = await replay('--dry-run');
  expect(code).toBe(0);
  expect(out).toMatch(/^push_id +server_uuid .* reason /);
  expect(out).toMatch(/ 1 .* 2023-11-14 22:13:20 .* ServiceUnavailable /);
  expect(out).toMatch(/\nNotifications: 2\. Nothing was sent\.\n$/);
  const waiting = await replay('--dry-run', '--state', 'waiting', '--json');
  expect(JSON.parse(waiting.out)).toMatchObject({ device_id: 3, provider: 'apns' });
  expect((await replay('--dry-run', '--provider', 'fcm')).out).toContain('Notifications: 0.');
  expect(await states()).toEqual(before);
});

test('bellhop bouncer replay makes the selected notifications due, and no others', async () => {
  expect((await replay('--device', '1', '--realm', realmUuid)).out).toBe(
    'Notifications that the bouncer sends now: 1.\n',
  );
  // No bouncer runs here: replayed notifications wait too.
  expect((await replay('--state', 'waiting', '--json')).out).toBe('{"count":2}\n');
  expect(await states()).toEqual([
    { state: 'queued', is_due: true, is_late: false },
    { state: 'dead', is_due: false, is_late: true },
    { state: 'queued', is_due: true, is_late: false },
  ]);
});

test('bellhop bouncer replay rejects a device ID that is not a number', async () => {
  const { code, err } = await replay('--device', 'x');
  expect(code).toBe(2);
  expect(err).toContain('write the number of a device, as 42');
});

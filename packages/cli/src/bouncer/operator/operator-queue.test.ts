import { randomUUID } from 'node:crypto';

import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { runBellhop } from '../../run-bellhop.fixture.ts';
import { startOperatedBouncer } from '../operated-bouncer.fixture.ts';

const bouncer = await startOperatedBouncer();
const { kysely } = bouncer;
const realmUuid = randomUUID();

beforeAll(async () => {
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
      attempts: 1,
      app: '',
      request: JSON.stringify({
        device_id,
        http_headers: { apns_priority: 10, apns_push_type: 'alert' },
        payload: { push_account_id: 1, encrypted_data: '', aps: {} },
      }),
    };
    await sql`insert into job (id, name, lane, payload, state, due_at, reason)
      values (${randomUUID()}, 'bouncer.push_apns', 'apns', ${JSON.stringify(payload)}::jsonb,
        ${state}, now() + interval '1 hour', 'ServiceUnavailable')`.execute(kysely);
  }
});
afterAll(() => bouncer[Symbol.asyncDispose]());

const queue = (...words: readonly string[]) => runBellhop('bouncer', 'queue', ...words);
/** The state of each notification by its device. */
const states = async () => {
  const { rows } = await sql<{ device: number; state: string }>`
    select (payload->>'device_id')::int as device, state from job
    where name = 'bouncer.push_apns' order by 1`.execute(kysely);
  return Object.fromEntries(rows.map(({ device, state }) => [device, state]));
};

test('bellhop bouncer queue list prints the notifications that were given up or wait', async () => {
  const before = await states();
  const { code, out } = await queue('list', '--state', 'ended');
  expect(code).toBe(0);
  expect(out).toMatch(/^push_id +state +provider +server_uuid .* reason\n/);
  expect(out).toMatch(/ 1 .* 2023-11-14 22:13:20 .* ServiceUnavailable\n/);
  expect(out.trimEnd().split('\n')).toHaveLength(3);
  const waiting = await queue('list', '--state', 'waiting', '--json');
  expect(JSON.parse(waiting.out)).toMatchObject({ device_id: 3, provider: 'apns' });
  expect((await queue('list', '--state', 'ended', '--provider', 'fcm')).out).toBe(
    'No notifications.\n',
  );
  expect(await states()).toEqual(before);
});

test('bellhop bouncer queue replay sends the selected notifications, and no others', async () => {
  const filter = ['--state', 'ended', '--device-id', '1', '--realm-uuid', realmUuid];
  expect((await queue('replay', ...filter, '--json')).out).toBe('{"count":1}\n');
  // The running bouncer finds that the device is gone.
  await expect.poll(states).toEqual({ 1: 'done', 2: 'dead', 3: 'queued' });
  expect((await queue('replay', '--state', 'waiting', '--json')).out).toBe('{"count":1}\n');
  await expect.poll(states).toEqual({ 1: 'done', 2: 'dead', 3: 'done' });
});

test('bellhop bouncer queue replay needs a state, and rejects a device ID that is not a number', async () => {
  expect((await queue('replay')).code).toBe(2);
  const { code, err } = await queue('replay', '--state', 'ended', '--device-id', 'x');
  expect(code).toBe(2);
  expect(err).toContain('number');
});

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

const run = (...words: readonly string[]) => runBellhop('bouncer', ...words);
const queue = (...words: readonly string[]) => run('queue', ...words);
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
  expect((await queue('replay', '--state', 'waiting')).out).toBe(
    '1 notification is sent now. "bellhop bouncer pushes list" shows what becomes of it.\n',
  );
  await expect.poll(states).toEqual({ 1: 'done', 2: 'dead', 3: 'done' });
});

/** A notification that FCM took at the second attempt, at `ended_ms`. */
async function addTrace(ended_ms: number): Promise<void> {
  const attempt = (number: number, status: number, verdict: string) => ({
    number,
    started_ms: ended_ms - 10,
    answered_ms: ended_ms,
    environment: null,
    app: null,
    bytes: null,
    max_bytes: null,
    session: null,
    waited_ms: null,
    status,
    retry_after: null,
    verdict,
    reason: null,
    wait_seconds: null,
  });
  const entry = {
    provider: 'fcm',
    token_hash: null,
    priority: 'high',
    expires_ms: null,
    stage: {
      stage: 'request',
      began_ms: ended_ms - 20,
      ended_ms,
      attempts: [attempt(1, 503, 'retry'), attempt(2, 200, 'accepted')],
      outcome: 'accepted',
      reason: null,
      provider_id: null,
      retry_at: null,
      trace_id: null,
    },
  };
  await sql`insert into push_trace (cipher_id, realm_uuid, server_uuid, push_id, device_id, at, entry)
    values ('9f86d081884c7d65', ${realmUuid}, ${randomUUID()}, ${randomUUID()}, 7,
      ${new Date(ended_ms)}, ${JSON.stringify(entry)}::jsonb)`.execute(kysely);
}

test('bellhop bouncer pushes list prints a line for each notification', async () => {
  await addTrace(Date.now());
  const { out } = await run('pushes', 'list', '--outcome', 'accepted');
  expect(out).toMatch(/^at +cipher_id +provider +device_id +outcome +attempts +explanation\n/);
  expect(out).toMatch(
    /\n[-\d]{10} [:\d]{8} +9f86d081884c7d65 +fcm +7 +accepted +503 retry, 200 accepted +\w.*\n$/,
  );
  expect(out).not.toMatch(/[{}]/);
  const { code, err } = await run('pushes', 'list', '--cipher-id', 'x');
  expect([code, err]).toEqual([2, expect.stringContaining('must be 16 hexadecimal digits')]);
});

test('bellhop bouncer outcomes list counts the last 24 hours, or what is asked for', async () => {
  await addTrace(Date.UTC(2026, 0, 2, 3, 4));
  const { out } = await run('outcomes', 'list', '--group-by', 'provider');
  const [header = '', ...hours] = out.trim().split('\n');
  expect(header).toMatch(/^from .*fcm/);
  expect(hours).toHaveLength(24);
  expect(hours.at(-1)).toMatch(/^[-\d]{10} \d\d:00:00 .*[1-9]/);
  const asked = ['--from', '2026-01-02', '--to', '2026-01-02 06:00', '--step', '2h'];
  expect((await run('outcomes', 'list', ...asked)).out).toBe(
    [
      'from                 accepted',
      '2026-01-02 00:00:00  0',
      '2026-01-02 02:00:00  1',
      '2026-01-02 04:00:00  0\n',
    ].join('\n'),
  );
  const none = await run('outcomes', 'list', '--from', '2026-01-02T12:00Z', '--to', '2026-01-03');
  expect(none.out).toBe('No notifications since 2026-01-02 12:00 UTC.\n');
  for (const [flag, wrong] of [
    ['--from', 'yesterday'],
    ['--to', '2026-02-30'],
    ['--step', '1 hour'],
    ['--step', '0m'],
  ] as const) {
    const { code, err } = await run('outcomes', 'list', flag, wrong);
    expect([code, err]).toEqual([2, expect.stringMatching(/: write (a time|how long).*6h/)]);
  }
  expect((await run('outcomes', 'list', '--from', '1h', '--to', '2h')).err).toBe(
    'The range ends before it begins\n',
  );
});

test('bellhop bouncer queue replay needs a state, and rejects a device ID that is not a number', async () => {
  expect((await queue('replay')).code).toBe(2);
  const { code, err } = await queue('replay', '--state', 'ended', '--device-id', 'x');
  expect(code).toBe(2);
  expect(err).toContain('number');
});

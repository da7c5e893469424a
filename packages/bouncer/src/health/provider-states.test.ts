import { migrate } from '@bellhop/postgres';
import { createTestDatabase } from '@bellhop/postgres/testing';
import { sql } from 'kysely';
import { pino } from 'pino';
import { expect, test } from 'vitest';

import { migrations } from '../migrations.ts';
import { formerDatabase } from '../storage/former-database.fixture.ts';
import type { BouncerTables } from '../storage/tables.ts';
import { ProviderStates } from './provider-states.ts';
import { transitions } from './transitions.ts';

const until = new Date('2026-01-01T00:00:00Z');
const now = new Date('2025-12-31T00:00:00Z');
const [gateway, sender] = [Buffer.from('gateway'), Buffer.from('sender')];

/** A database of the version before the table of provider states, with a pause, an alarm, proof and a doubt. */
async function databaseWithHealth() {
  const made = await formerDatabase('0010');
  const { kysely } = made.database;
  await sql`insert into provider_health (token_kind, credentials, app, paused_until, pauses, reason, alarm)
    values ('apns', ${gateway}, 'a.b', ${until}, 2, 'InvalidProviderToken', 'credentials')`.execute(
    kysely,
  );
  await sql`insert into deletion_guard (token_kind, credentials, app, is_proven, deletions, has_alarm)
    values ('apns', ${sender}, 'a.b', true, 3, true)`.execute(kysely);
  return made;
}

const health = sql`select * from provider_health order by app`;
const guard = sql`select * from deletion_guard order by app`;

test('an upgrade keeps pauses, alarms, proof and doubts, and nodes of the version before go on with them', async () => {
  await using made = await databaseWithHealth();
  const { database } = made;
  const { kysely } = database;
  const before = [(await health.execute(kysely)).rows, (await guard.execute(kysely)).rows];
  await migrate(database, ...migrations);
  expect(
    await kysely.selectFrom('provider_state').selectAll().orderBy('credentials').execute(),
  ).toMatchObject([
    {
      credentials: gateway,
      paused_until: until,
      pauses: 2,
      alarm: 'credentials',
      is_proven: false,
    },
    { credentials: sender, is_proven: true, deletions: 3, is_doubted: true, alarm: null },
  ]);
  const after = [(await health.execute(kysely)).rows, (await guard.execute(kysely)).rows];
  expect(after[0]).toEqual(expect.arrayContaining(before[0] ?? []));
  expect(after[1]).toEqual(expect.arrayContaining(before[1] ?? []));
  // The statements of the version before.
  await sql`insert into provider_health (token_kind, credentials, app, paused_until, pauses, reason)
    values ('apns', ${gateway}, 'new', ${until}, 1, 'busy')
    on conflict (token_kind, credentials, app) do update set
      paused_until = greatest(provider_health.paused_until, excluded.paused_until),
      pauses = provider_health.pauses + 1`.execute(kysely);
  await sql`insert into deletion_guard (token_kind, credentials, app, has_alarm)
    values ('apns', ${sender}, 'new', true)
    on conflict (token_kind, credentials, app) do update set has_alarm = true
    where deletion_guard.has_alarm = false returning app`.execute(kysely);
  const { rows } = await sql`with former as materialized (
      select has_alarm from deletion_guard where credentials = ${sender} and app = 'a.b' for update)
    insert into deletion_guard (token_kind, credentials, app, is_proven, has_alarm)
    select 'apns', ${sender}, 'a.b', true, coalesce(bool_or(has_alarm), false) from former
    on conflict (token_kind, credentials, app) do update set
      deletions = greatest(0, deletion_guard.deletions - 1),
      has_alarm = deletion_guard.has_alarm and deletion_guard.deletions > 1
    returning deletion_guard.*, coalesce((select has_alarm from former), false) as had_alarm`.execute(
    kysely,
  );
  expect(rows).toMatchObject([{ deletions: 2, has_alarm: true, had_alarm: true }]);
  expect(
    await kysely.selectFrom('provider_state').selectAll().where('app', '=', 'new').execute(),
  ).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ credentials: gateway, pauses: 1, is_proven: false }),
      expect.objectContaining({ credentials: sender, is_doubted: true, paused_until: null }),
    ]),
  );
});

test('nodes that make the same transition at once log the beginning and the end of an alarm once', async () => {
  await using made = await createTestDatabase<BouncerTables>({ migrations });
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(line) });
  const { kysely } = made.database;
  const nodes = Array.from(
    { length: 4 },
    () => new ProviderStates({ kysely, senders: () => [], log }),
  );
  const key = { token_kind: 'fcm' as const, credentials: sender, app: '' };
  const about = { key, subject: { kind: 'fcm' as const, sender: 'test', app: '' }, reason: 'why' };
  const all = (transition: ReturnType<typeof transitions.doubt>) =>
    Promise.all(nodes.map((node) => node.change({ ...about, transition })));
  const alarms = () =>
    lines.splice(0).map((line) => JSON.parse(line) as { alarm: string; level: number });
  await all(transitions.doubt());
  expect(alarms()).toMatchObject([{ alarm: 'dead_tokens', level: 50 }]);
  await all(transitions.alarm('credentials', 'why'));
  expect(alarms()).toMatchObject([{ alarm: 'credentials', level: 50 }]);
  const paused = await all(transitions.pause({ now, until, reason: 'busy' }));
  expect(new Set(paused.map((one) => one?.row.pauses))).toEqual(new Set([1]));
  await all(transitions.recovery());
  expect(alarms()).toMatchObject([{ alarm: 'credentials', level: 30 }]);
  const tried = await all(transitions.trial({ now: until, until }));
  expect(tried.filter(Boolean)).toEqual([]);
  await all(transitions.acceptance(1));
  expect(alarms()).toMatchObject([{ alarm: 'dead_tokens', level: 30 }]);
});

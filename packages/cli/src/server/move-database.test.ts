import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Client, createClient } from '@bellhop/client';
import { listen } from '@bellhop/http';
import { type Database, migrate, openDatabase, startPostgres } from '@bellhop/postgres';
import { createTestDatabase, startDatabaseProxy } from '@bellhop/postgres/testing';
import { createServer, readConfig } from '@bellhop/server';
import {
  createRealm,
  createUser,
  secretsOf,
  serverMigrations,
  type Tables,
} from '@bellhop/server/provision';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterEach, expect, test, vi } from 'vitest';

import { runBellhop, stubVariables } from '../run-bellhop.fixture.ts';

const env = {
  BELLHOP_SECRET: 'a secret for tests, and for tests only',
  BELLHOP_EXTERNAL_URL: 'http://127.0.0.1:4600',
};
afterEach(() => vi.unstubAllEnvs());

/** A folder with the embedded PostgreSQL of a server, which nobody has open. */
async function embedded(use: (db: Database<Tables>) => Promise<void> = async () => {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'move-database-'));
  const open = async (work: (db: Database<Tables>) => Promise<void>) => {
    await using postgres = await startPostgres({ dataDir, fsync: false });
    await using db = await openDatabase<Tables>(postgres.url);
    await migrate(db, ...serverMigrations);
    await work(db);
  };
  await open(use);
  stubVariables({ ...env, BELLHOP_DATA_DIR: dataDir });
  return {
    open,
    dataDir,
    [Symbol.asyncDispose]: () => rm(dataDir, { recursive: true, force: true }),
  };
}

/** An empty database, which a role without rights of its own owns. */
async function ownDatabase() {
  const made = await createTestDatabase<Tables>();
  const role = new URL(made.url).pathname.slice(1).replace('test', 'owner');
  await sql.raw(`create role ${role} login`).execute(made.database.kysely);
  const name = new URL(made.url).pathname.slice(1);
  await sql.raw(`alter database ${name} owner to ${role}`).execute(made.database.kysely);
  const url = new URL(made.url);
  url.username = role;
  vi.stubEnv('DATABASE_URL', url.href);
  return {
    url: url.href,
    kysely: made.database.kysely,
    [Symbol.asyncDispose]: () => made[Symbol.asyncDispose](),
  };
}

const move = () => runBellhop('server', 'move-database');

/** Runs a server on a database while `work` uses it. */
async function serve(db: Database<Tables>, work: (url: string) => Promise<void>) {
  const server = await createServer({
    config: readConfig(env),
    db,
    log: pino({ level: 'silent' }),
  });
  const { url, stop } = await listen(server.listener);
  try {
    await work(url);
  } finally {
    await stop(0);
    await server.stop();
  }
}

const password = 'long enough and hard to guess';
/** With their keys, and the tokens of their webhooks. */
const botsOf = async (ada: Client) =>
  (await ada.queues.register({ fetch_event_types: ['realm_bot'] })).realm_bots;
const poll = (ada: Client, queue_id: string, last_event_id: number) =>
  ada.queues.events({ queue_id, last_event_id, dont_block: true });

test('bellhop server move-database takes a used server to an empty database of a role without rights, where all go on', async () => {
  const used = {
    apiKey: '',
    file: '',
    queue: '',
    seen: -1,
    message: 0,
    bots: undefined as unknown,
  };
  await using before = await embedded(async (db) => {
    const secrets = secretsOf(env.BELLHOP_SECRET);
    used.apiKey = await db.transaction(async (tx) => {
      const place = { secrets, externalHost: '127.0.0.1' };
      const id = await createRealm(tx, place, { subdomain: '', name: 'Castle' });
      const ada = { email: 'ada@chat.test', full_name: 'Ada', role: 100 as const, password };
      return (await createUser(tx, { realm: { id }, secrets }, ada)).api_key;
    });
    await serve(db, async (url) => {
      const ada = createClient({ url, email: 'ada@chat.test', apiKey: used.apiKey });
      await ada.subscriptions.add({ subscriptions: [{ name: 'general' }] });
      const file = new File(['\\N\t\n\0\u{1F600}'.repeat(50_000)], 'hard to copy.txt');
      used.file = (await ada.uploads.create({}, { file })).url;
      const queue = await ada.queues.register({ event_types: ['message'] });
      used.queue = queue.queue_id ?? '';
      const send = (content: string) =>
        ada.messages.send({ type: 'channel', to: 'general', topic: 'move', content });
      await send('seen');
      used.seen = (await poll(ada, used.queue, -1)).events.at(-1)?.id ?? -1;
      used.message = (await send(`not yet seen \\. \\N [file](${used.file})`)).id;
      const bot = await ada.bots.create({
        full_name: 'Echo',
        short_name: 'echo',
        bot_type: 3,
        payload_url: 'https://bots.example.com/',
      });
      used.bots = await botsOf(ada);
      expect(JSON.stringify(used.bots)).toContain(bot.api_key);
    });
  });
  await using after = await ownDatabase();
  const { code, out, err } = await move();
  expect(code, err).toBe(0);
  expect(out).toMatch(/^Moved \d+ rows of \d+ tables to the database of DATABASE_URL\./);
  expect(out).toContain(`The former database is in ${before.dataDir}`);
  expect(err).toMatch(/^(?:\d+ of \d+ rows copied, \w+\n)+$/);

  await using db = await openDatabase<Tables>(after.url);
  expect(await migrate(db, ...serverMigrations)).toEqual([]);
  await serve(db, async (url) => {
    const ada = createClient({ url, email: 'ada@chat.test', apiKey: used.apiKey });
    const { messages } = await ada.messages.fetch({
      anchor: 'newest',
      num_before: 1,
      num_after: 0,
    });
    expect(messages.map(({ id }) => id)).toEqual([used.message]);
    const authorization = `Basic ${btoa(`ada@chat.test:${used.apiKey}`)}`;
    const content = await (await fetch(url + used.file, { headers: { authorization } })).text();
    expect(content).toBe('\\N\t\n\0\u{1F600}'.repeat(50_000));
    // The queue is the same one, and goes on behind what its client has seen.
    const { events } = await poll(ada, used.queue, used.seen);
    expect(events).toMatchObject([{ type: 'message', message: { id: used.message } }]);
    expect(await botsOf(ada)).toEqual(used.bots);
    const login = await fetch(`${url}/api/v1/fetch_api_key`, {
      method: 'POST',
      body: new URLSearchParams({ username: 'ada@chat.test', password }),
    });
    expect(await login.json()).toMatchObject({ api_key: used.apiKey });
    const next = { type: 'channel', to: 'general', topic: 'move', content: 'next' } as const;
    expect((await ada.messages.send(next)).id).toBe(used.message + 1);
  });
  // Whoever starts the former one again gets other numbers.
  await before.open((former) =>
    serve(former, async (url) => {
      const ada = createClient({ url, email: 'ada@chat.test', apiKey: used.apiKey });
      const next = { type: 'channel', to: 'general', topic: 'move', content: 'next' } as const;
      expect((await ada.messages.send(next)).id).toBeGreaterThan(used.message + 1_000_000);
      await expect(poll(ada, used.queue, used.seen)).rejects.toMatchObject({
        code: 'BAD_EVENT_QUEUE_ID',
      });
    }),
  );
  const again = await move();
  expect([again.code, again.out]).toEqual([1, '']);
  expect(again.err).toMatch(
    /^DATABASE_URL: it was used: it has rows in \w+\. Make an empty database\. Nothing was moved\.\n$/,
  );
}, 120_000);

test('every table, key, trigger and column of the copy is that of the original', async () => {
  const catalogue = sql<{ line: string }>`
    select concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated) as line
      from pg_constraint where connamespace = 'public'::regnamespace
    union all select concat_ws(' ', tgrelid::regclass, tgname, tgenabled) from pg_trigger
      where not tgisinternal
    order by 1`;
  const lines = async (db: Database<Tables>) =>
    (await catalogue.execute(db.kysely)).rows.map(({ line }) => line);
  let original: readonly string[] = [];
  await using _before = await embedded(async (db) => {
    original = await lines(db);
  });
  await using after = await ownDatabase();
  expect(await move()).toMatchObject({ code: 0 });
  await using db = await openDatabase<Tables>(after.url);
  expect(original.length).toBeGreaterThan(200);
  // PostgreSQL 18 lists NOT NULL among the constraints.
  const comparable = (all: readonly string[]) => all.filter((line) => !/ NOT NULL /.test(line));
  expect(comparable(await lines(db))).toEqual(comparable(original));
}, 60_000);

test('bellhop server move-database refuses what it would mix or could not read, and says what to do', async () => {
  const bare = await move();
  expect([bare.code, bare.err]).toEqual([
    1,
    'Set DATABASE_URL to the URL of an empty database of your PostgreSQL: the data are copied there.\n',
  ]);
  await using target = await ownDatabase();
  vi.stubEnv('BELLHOP_DATA_DIR', join(tmpdir(), 'nothing is here'));
  expect((await move()).err).toContain('There is no embedded PostgreSQL in ');
  await using _before = await embedded();
  await sql`create table wiki_page (id int)`.execute(target.kysely);
  expect((await move()).err).toMatch(
    /^DATABASE_URL: it has tables of another program, wiki_page among them\. Make an empty database\. Nothing/,
  );
  const { rows } = await sql`select from pg_class where relname = 'realm'`.execute(target.kysely);
  expect(rows).toEqual([]);
  await sql`drop table wiki_page`.execute(target.kysely);
  expect((await move()).code).toBe(0);
  await sql`insert into schema_migration (package, number, name, checksum)
    values ('server', 999, '0999-later.sql', 'x')`.execute(target.kysely);
  expect((await move()).err).toMatch(/The database is newer than this program/);
}, 60_000);

test('bellhop server move-database names DATABASE_URL if it cannot reach it, also if nobody answers there', async () => {
  await using _before = await embedded();
  await using target = await createTestDatabase();
  await using proxy = await startDatabaseProxy(target.url);
  proxy.hold();
  const other = (change: Partial<URL>) => {
    const url = Object.assign(new URL(target.url), { password: 'hush-hush' }, change);
    return url.href;
  };
  for (const [url, why] of [
    [other({ username: 'nobody' }), /role "nobody" does not exist/],
    [other({ host: '127.0.0.1:1', search: '' }), /ECONNREFUSED/],
    [other({ host: new URL(proxy.url).host, search: '' }), /timeout/],
  ] as const) {
    vi.stubEnv('DATABASE_URL', url);
    const { code, err } = await move();
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/^DATABASE_URL: Cannot open .* Check that PostgreSQL runs there/),
    ]);
    expect(err).toMatch(why);
    expect(err).not.toContain('hush');
  }
}, 60_000);

test('bellhop server move-database changes no used database of an older version, and none without an original', async () => {
  await using _before = await embedded((db) =>
    sql`insert into schema_migration (package, number, name, checksum)
      values ('server', 999, '0999-later.sql', 'x')`
      .execute(db.kysely)
      .then(() => {}),
  );
  await using older = await createTestDatabase<Tables>({
    migrations: serverMigrations.slice(0, 1),
  });
  const tables = async ({ kysely }: Pick<Database<Tables>, 'kysely'>) =>
    (
      await sql<{ name: string }>`select relname as name from pg_class
        where relnamespace = 'public'::regnamespace and relkind = 'r'`.execute(kysely)
    ).rows.map(({ name }) => name);
  await sql`insert into job (id, lane, name, payload) values (gen_random_uuid(), 'mail', 'send', '{}')`.execute(
    older.database.kysely,
  );
  vi.stubEnv('DATABASE_URL', older.url);
  const kept = await tables(older.database);
  expect((await move()).err).toMatch(/^DATABASE_URL: it was used: it has rows in job\./);
  expect(await tables(older.database)).toEqual(kept);

  await using empty = await ownDatabase();
  expect((await move()).err).toMatch(/The database is newer than this program/);
  expect(await tables(empty)).toEqual([]);
}, 60_000);

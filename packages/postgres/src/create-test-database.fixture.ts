import { createHash, randomUUID } from 'node:crypto';

import { Pool, type PoolClient } from 'pg';

import { migrate } from './migrate.ts';
import { type Migrations, readPackageFiles } from './migration-files.ts';
import { type Database, type DatabaseOptions, openDatabase } from './open-database.ts';
import { isLasting, testServerUrl } from './test-server.fixture.ts';

export interface TestDatabaseOptions<Filled = undefined> extends DatabaseOptions {
  /** Run in this order. */
  migrations?: Migrations[];
  /** Default: a random name. */
  name?: string;
  /** Writes the first rows. A process runs it once: its later databases with the same function are copies. */
  fill?: (url: string) => Promise<Filled>;
}

/** The database of one test. Disposing closes and drops it. */
export interface TestDatabase<Tables, Filled = undefined> extends AsyncDisposable {
  url: string;
  database: Database<Tables>;
  /** The result of `fill`. */
  filled: Filled;
}

/**
 * Creates a migrated database for one test. It is a copy of a template, which the first test with
 * the same migrations creates. Use it with `await using`.
 */
export async function createTestDatabase<Tables, Filled = undefined>(
  options: TestDatabaseOptions<Filled> = {},
): Promise<TestDatabase<Tables, Filled>> {
  const { migrations = [], name = randomName(), fill, ...databaseOptions } = options;
  const server = await testServerUrl();
  const { url, filled } = await (fill
    ? copyFilled(server, name, { migrations, fill })
    : { url: await copyMigrated(server, name, migrations), filled: undefined as Filled });
  const database = await openDatabase<Tables>(url, databaseOptions);
  return {
    url,
    database,
    filled,
    async [Symbol.asyncDispose]() {
      await database.close();
      await withClient(server, (client) => client.query(`drop database ${name} with (force)`));
    },
  };
}

/** Returns the URL of the new database. */
async function copyMigrated(server: string, name: string, migrations: Migrations[]) {
  await withClient(server, async (client) =>
    copy(client, name, await ensureTemplate(client, server, migrations)),
  );
  return withDatabase(server, name);
}

interface Filling<Filled> {
  readonly migrations: Migrations[];
  readonly fill: (url: string) => Promise<Filled>;
}

/** The filled templates of this process by their function. Another process may have other code. */
const templates = new WeakMap<object, Promise<{ name: string; filled: unknown }>>();

async function copyFilled<Filled>(server: string, name: string, filling: Filling<Filled>) {
  const { migrations, fill } = filling;
  const make = async (made: string) => {
    const url = await copyMigrated(server, made, migrations);
    return { name: made, url, filled: await fill(url) };
  };
  // Nothing would drop the template on a server that outlives this run.
  if (isLasting()) return make(name);
  const known = templates.get(fill) ?? make(`${randomName()}_template`);
  templates.set(fill, known);
  const template = (await known) as { name: string; filled: Filled };
  await withClient(server, (client) => copy(client, name, template.name));
  return { url: withDatabase(server, name), filled: template.filled };
}

const copy = (client: PoolClient, name: string, template: string) =>
  client.query(`create database ${name} template ${template} strategy file_copy`);

const randomName = () => `bellhop_test_${randomUUID().replaceAll('-', '').slice(0, 16)}`;

/** Key of the advisory lock for creating a template; any fixed number. */
const lockKey = 4_600_019;

/** Creates the template if it is missing, and renames it when it is complete. */
async function ensureTemplate(client: PoolClient, server: string, migrations: Migrations[]) {
  if (migrations.length === 0) return 'template1';
  const name = await templateName(migrations);
  if (await exists(client, name)) return name;
  await client.query('select pg_advisory_lock($1)', [lockKey]);
  try {
    if (await exists(client, name)) return name;
    const unfinished = `${name}_unfinished`;
    await client.query(`drop database if exists ${unfinished} with (force)`);
    await client.query(`create database ${unfinished}`);
    const database = await openDatabase(withDatabase(server, unfinished), { maxConnections: 1 });
    try {
      await migrate(database, ...migrations);
    } finally {
      await database.close();
    }
    await client.query(`alter database ${unfinished} rename to ${name}`);
    return name;
  } finally {
    await client.query('select pg_advisory_unlock($1)', [lockKey]);
  }
}

async function templateName(migrations: Migrations[]): Promise<string> {
  const hash = createHash('sha256');
  for (const set of migrations) {
    hash.update(`${set.package}\n`);
    const { files, functions } = await readPackageFiles(set);
    for (const file of functions ? [...files, functions] : files)
      hash.update(`${file.name} ${file.checksum}\n`);
  }
  return `bellhop_template_${hash.digest('hex').slice(0, 16)}`;
}

async function exists(client: PoolClient, database: string): Promise<boolean> {
  const sql = 'select from pg_database where datname = $1';
  return (await client.query(sql, [database])).rowCount === 1;
}

function withDatabase(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
}

/** The pools of this process by URL. A connection takes longer than what a test asks of it. */
const pools = new Map<string, Pool>();

function poolOf(url: string): Pool {
  const known = pools.get(url);
  if (known) return known;
  const pool = new Pool({ connectionString: url, allowExitOnIdle: true });
  // The server may stop while a connection is idle.
  pool.on('error', () => {});
  pools.set(url, pool);
  return pool;
}

async function withClient<Result>(url: string, work: (client: PoolClient) => Promise<Result>) {
  const client = await poolOf(url).connect();
  try {
    return await work(client);
  } finally {
    client.release();
  }
}

import { randomUUID } from 'node:crypto';

import { BotError } from '../bot-error.ts';
import { guardedStore } from './guarded-store.ts';
import { ensureTable, type PostgresPool, statements } from './postgres-statements.ts';
import type { Store } from './store.ts';

export type { PostgresPool } from './postgres-statements.ts';

export interface PostgresStoreOptions {
  /** `table` or `schema.table`, created on first use; the default is `bellhop_bot_store`. */
  readonly table?: string;
}

/**
 * A store in one table of a PostgreSQL (15 or newer), for bots that run in several processes. Takes
 * a pool, which stays open when the store is closed, or a URL, which needs the package `pg`. Expiry
 * uses the database's clock; a write deletes expired rows, at most once a minute. If the role may not
 * create the table, the error contains the statement to run.
 */
export function postgresStore(
  database: PostgresPool | string,
  { table = 'bellhop_bot_store' }: PostgresStoreOptions = {},
): Store {
  if (!/^[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)?$/.test(table)) {
    throw new BotError(
      'config_invalid',
      `"${table}" is not a valid table name: postgresStore takes a-z, 0-9 and _.`,
    );
  }
  const sql = statements(table);
  let opening: ReturnType<typeof open> | undefined;
  let sweptAt = -Infinity;

  async function query(text: string, values: unknown[]) {
    // A failure is not kept: the next call connects again.
    opening ??= open(database, table).catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return (await (await opening).pool.query(text, values)).rows;
  }

  return guardedStore('postgresStore', {
    async get(key) {
      const [row] = await query(sql.get, [key]);
      return row && { text: textOf(row, 'value'), version: textOf(row, 'version') };
    },
    async set({ key, text, ttlMs, expected }) {
      const version = randomUUID();
      const values = [key, text, version, ttlMs ?? null];
      const rows = await (expected === undefined
        ? query(sql.put, values)
        : expected === null
          ? query(sql.create, values)
          : query(sql.replace, [...values, expected]));
      if (performance.now() - sweptAt > 60_000) {
        sweptAt = performance.now();
        await query(sql.sweep, []);
      }
      return rows.length === 1 ? version : undefined;
    },
    async delete(key) {
      await query(sql.delete, [key]);
    },
    list: async (prefix) => (await query(sql.list, [prefix])).map((row) => textOf(row, 'key')),
    async close() {
      await (await opening)?.end();
    },
  });
}

async function open(database: PostgresPool | string, table: string) {
  const { pool, end } = typeof database === 'string' ? await connect(database) : shared(database);
  try {
    await ensureTable(pool, table);
    return { pool, end };
  } catch (error) {
    await end();
    throw error;
  }
}

/** A pool that the store does not close. */
const shared = (pool: PostgresPool) => ({ pool, end: async () => {} });

async function connect(url: string) {
  const pg = await import('pg').catch((cause: unknown) => {
    throw new BotError(
      'config_invalid',
      'postgresStore with a URL needs the package pg: npm install pg, or pass a pool.',
      { cause },
    );
  });
  const pool = new pg.default.Pool({ connectionString: url, max: 5 });
  // Without a listener the error of an idle connection ends the process; the next query reconnects.
  pool.on('error', () => {});
  return { pool: pool as PostgresPool, end: () => pool.end() };
}

function textOf(row: object, column: string): string {
  const value: unknown = Object.entries(row).find(([name]) => name === column)?.[1];
  if (typeof value !== 'string') throw new TypeError(`The column ${column} holds no text`);
  return value;
}

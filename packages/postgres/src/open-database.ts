import { Kysely } from 'kysely';
import { Client, Pool } from 'pg';

import { dialect } from './dialect.ts';
import { GroupFlush } from './group-flush.ts';
import { Listener } from './listener.ts';
import { Notifier } from './notifier.ts';
import { runTransaction, type TransactionOptions } from './run-transaction.ts';
import { statementNames } from './statement-names.ts';
import type { Transaction } from './transaction.ts';
import { valueParsers } from './value-parsers.ts';

export interface DatabaseOptions {
  /** Default 10; LISTEN and the group flush use one more each. */
  maxConnections?: number;
  /** Shown in pg_stat_activity. Default 'bellhop'. */
  applicationName?: string;
  /** Time limit of a statement. Default: none. */
  statementTimeoutMs?: number;
  /** Called for connections lost while idle; the pool opens new ones. */
  onError?: (error: unknown) => void;
}

/** An open database: a pool of connections. */
export interface Database<Tables> extends AsyncDisposable {
  /** For single statements; each commits by itself. */
  readonly kysely: Kysely<Tables>;
  /**
   * Runs work in one transaction. BEGIN is sent with the first query, `tx.last` queries with COMMIT.
   * Rolls back and rejects if the work throws or any query fails, even if the work caught the error.
   */
  transaction<Result>(
    work: (tx: Transaction<Tables>) => Promise<Result>,
    options?: TransactionOptions,
  ): Promise<Result>;
  /**
   * Calls back with the payload of each notification, and with '' after a reconnect, since
   * notifications may be lost: a listener must poll as well. Returns a function that stops it.
   */
  listen(channel: string, onPayload: (payload: string) => void): Promise<() => void>;
  /**
   * Notifies listeners of this Database at once, others within 20 ms. Equal notifications within that
   * time are sent once. Never throws.
   */
  notify(channel: string, payload?: string): void;
  /**
   * Resolves when everything committed before the call is on disk. Only readers of rows written with
   * `groupFlush` need it.
   */
  durable(): Promise<void>;
  /** Open connections, idle ones among them, and callers waiting for one. */
  connections(): { open: number; idle: number; waiting: number };
  close(): Promise<void>;
}

/** Opens a pool on a postgresql:// URL and checks that the database answers. */
export async function openDatabase<Tables>(
  url: string,
  options: DatabaseOptions = {},
): Promise<Database<Tables>> {
  const config = {
    connectionString: url,
    application_name: options.applicationName ?? 'bellhop',
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
    ...(options.statementTimeoutMs && { statement_timeout: options.statementTimeoutMs }),
  };
  const onError = options.onError ?? (() => {});
  const pool = new Pool({
    ...config,
    Client,
    types: valueParsers,
    pipeline: true,
    max: options.maxConnections ?? 10,
    idleTimeoutMillis: 60_000,
  });
  // The queries of a lost connection reject; without a listener the error would also end the process.
  pool.on('connect', (client) => client.on('error', () => {}));
  const processes = ownProcesses(pool);
  pool.on('error', onError);
  const nameOf = statementNames();
  const ourDialect = dialect(pool, nameOf);
  const notifier = new Notifier({ onError, send: (...lists) => pool.query(notifySql, lists) });
  const flusher = new Pool({ ...config, Client, max: 1, idleTimeoutMillis: 60_000 });
  flusher.on('connect', (client) => client.on('error', () => {}));
  flusher.on('error', onError);
  const group = new GroupFlush(() => flusher.query({ name: 'flush', text: flushSql }));
  const durable = () => group.durable();
  const listener = new Listener(config, processes, onError);
  const notify = (channel: string, payload = '') => {
    listener.tell(channel, payload);
    notifier.notify(channel, payload);
  };

  async function close(): Promise<void> {
    await notifier.flush();
    await listener.close();
    await Promise.all([pool.end(), flusher.end()]);
  }

  await pool.query('select 1').catch(async (error: unknown) => {
    await pool.end();
    throw new Error(`Cannot open the database: ${reason(error)}`, { cause: error });
  });
  return {
    kysely: new Kysely<Tables>({ dialect: ourDialect }),
    transaction: (work, transactionOptions) =>
      runTransaction(
        { pool, dialect: ourDialect, nameOf, notify, durable },
        work,
        transactionOptions,
      ),
    listen: (channel, onPayload) => listener.listen(channel, onPayload),
    notify,
    durable,
    connections: () => ({
      open: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The PostgreSQL process numbers of the pool's connections. */
function ownProcesses(pool: Pool): ReadonlySet<number> {
  const processes = new Set<number>();
  const numberOf = (client: object) => ('processID' in client ? Number(client.processID) : 0);
  pool.on('connect', (client) => processes.add(numberOf(client)));
  pool.on('remove', (client) => processes.delete(numberOf(client)));
  return processes;
}

// The commit of this record waits for the disk, and so for everything committed before it.
const flushSql = "select pg_logical_emit_message(true, 'bellhop', '')";
const notifySql = 'select pg_notify(c, p) from unnest($1::text[], $2::text[]) as n (c, p)';

/** Node reports a refused connection as an AggregateError with an empty message. */
function reason(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reason).join('; ');
  return error instanceof Error ? error.message : String(error);
}

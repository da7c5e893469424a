import { Kysely } from 'kysely';
import { Client, type ClientBase, type ClientConfig, type Pool } from 'pg';

import { AbandonedQueries } from './abandoned-queries.ts';
import { Connections } from './connections.ts';
import { certificateAdvice, checkedDatabaseUrl } from './database-url.ts';
import { dialect, kyselyFor } from './dialect.ts';
import { errorCode } from './error-code.ts';
import { Listener } from './listener.ts';
import { Notifier } from './notifier.ts';
import { OpenSockets } from './open-sockets.ts';
import { readDurable } from './read-durable.ts';
import { runTransaction, type TransactionOptions } from './run-transaction.ts';
import { checkSessions } from './session-check.ts';
import { statementNames } from './statement-names.ts';
import { requireSuitable } from './suitable-database.ts';
import type { Transaction } from './transaction.ts';
import { responseMs, type WorkLimits, workLimits } from './work-limits.ts';

/** How long a close waits for a database that does not answer, or for a lock, in milliseconds. */
const CLOSE_MS = 2000;

export interface DatabaseOptions {
  /** Default 10; LISTEN and the group flush use one more each. */
  maxConnections?: number;
  /** Shown in pg_stat_activity. Default 'bellhop'. */
  applicationName?: string;
  /** Time limits other than those of a request. */
  limits?: Partial<WorkLimits>;
  /** Time limit of a flush in milliseconds. Default 10 s. */
  flushMs?: number;
  /** Ends the opening. */
  signal?: AbortSignal;
  /** Called for connections lost while idle; the pool opens new ones. */
  onError?: (error: unknown) => void;
}

/** An open database: a pool of connections. */
export interface Database<Tables> extends AsyncDisposable {
  /**
   * Runs single statements; each commits by itself. Rejects with DatabaseUnavailable if the
   * database cannot be reached or takes too long.
   */
  readonly kysely: Kysely<Tables>;
  /**
   * Like `kysely`, for a caller who may leave: stops a running query when the signal is aborted, and
   * rejects with its reason.
   */
  kyselyFor(signal: () => AbortSignal): Kysely<Tables>;
  /**
   * Runs work in one transaction. BEGIN is sent with the first query, `tx.last` queries with COMMIT.
   * Rolls back and rejects if the work throws or any query fails, even if the work caught the error.
   */
  transaction<Result>(
    work: (tx: Transaction<Tables>) => Promise<Result>,
    options?: TransactionOptions<Result>,
  ): Promise<Result>;
  /**
   * Calls back with the payload of each notification, and with '' after a reconnect, since
   * notifications may be lost: a listener must also poll. Returns a function that stops it.
   */
  listen(channel: string, onPayload: (payload: string) => void): Promise<() => void>;
  /**
   * Notifies listeners of this Database at once, others within 20 ms. Equal notifications within that
   * time are sent once. Never throws.
   */
  notify(channel: string, payload?: string): void;
  /**
   * Reads rows that leave the program, and resolves when all that was read is on disk. Only readers
   * of rows written with `groupFlush` need it. An empty result needs no flush. Rejects with
   * DatabaseUnavailable if the connection for flushes was lost since the read began.
   */
  readDurable<Result>(
    read: (db: Kysely<Tables>) => Promise<Result>,
    isEmpty?: (result: Result) => boolean,
  ): Promise<Result>;
  /**
   * Runs `check` now, and later with the first connection to another server or database: until it
   * has passed, no connection to it is used. Returns a function that runs it again.
   */
  checkServers(check: (client: ClientBase) => Promise<void>): Promise<() => Promise<void>>;
  /** Open connections, idle ones among them, and callers waiting for one. */
  connections(): { open: number; idle: number; waiting: number };
  /**
   * Waits two seconds for the queries under way, then ends them. A repeated call waits for the first.
   */
  close(): Promise<void>;
}

/**
 * Opens a pool on a postgresql:// URL. Checks that the database answers, and that its version, its
 * encoding, the rights of the role and a pooler before it are suitable.
 */
export async function openDatabase<Tables>(
  url: string,
  options: DatabaseOptions = {},
): Promise<Database<Tables>> {
  options.signal?.throwIfAborted();
  const sockets = new OpenSockets();
  const config = {
    stream: sockets.make,
    connectionString: readUrl(url),
    application_name: options.applicationName ?? 'bellhop',
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: 10_000,
  };
  const onError = options.onError ?? (() => {});
  const limits = { ...workLimits.request, ...options.limits };
  const connections = new Connections({
    config,
    max: options.maxConnections ?? 10,
    limits,
    flushMs: options.flushMs,
    onError,
  });
  const { pool } = connections;
  const processes = ownProcesses(pool);
  const nameOf = statementNames();
  const sending = { nameOf, responseMs: responseMs(limits) };
  const ourDialect = dialect(connections, sending);
  const abandoned = new AbandonedQueries(config, onError);
  const notifier = new Notifier({ onError, send: (...lists) => pool.query(notifySql, lists) });
  const listener = new Listener(config, processes, onError);
  const notify = (channel: string, payload = '') => {
    listener.tell(channel, payload);
    notifier.notify(channel, payload);
  };

  async function end(): Promise<void> {
    const giveUp = setInterval(() => sockets.destroyAll(), CLOSE_MS);
    try {
      await notifier.flush();
      await listener.close();
      abandoned.close();
      await connections.close();
    } finally {
      clearInterval(giveUp);
    }
  }
  let ended: Promise<void> | undefined;
  const close = () => (ended ??= end());

  const checkStart = async () => {
    await requireSuitable(pool);
    await checkPooler(pool, config);
  };
  const giveUp = () => sockets.destroyAll();
  options.signal?.addEventListener('abort', giveUp);
  try {
    await checkStart();
  } catch (error) {
    await connections.close();
    throw new Error(`Cannot open the database: ${reason(error)}`, { cause: error });
  } finally {
    options.signal?.removeEventListener('abort', giveUp);
  }
  return {
    kysely: new Kysely<Tables>({ dialect: ourDialect }),
    kyselyFor: (signal) =>
      kyselyFor<Tables>(
        { dialect: ourDialect, take: () => connections.take(), options: sending },
        abandoned,
        signal,
      ),
    transaction: (work, transactionOptions) =>
      runTransaction(
        { connections, dialect: ourDialect, nameOf, notify },
        work,
        transactionOptions,
      ),
    readDurable: (read, isEmpty) =>
      readDurable({ connections, dialect: ourDialect, options: sending }, read, isEmpty),
    listen: (channel, onPayload) => listener.listen(channel, onPayload),
    notify,
    checkServers: (check) => connections.checkServers(check),
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

const notifySql = 'select pg_notify(c, p) from unnest($1::text[], $2::text[]) as n (c, p)';

/** Rejects with a SharedSessionsError behind a pooler that is not in session mode. */
async function checkPooler(pool: Pool, config: ClientConfig): Promise<void> {
  const one = await pool.connect();
  // Not of the pool, which may have only one.
  const other = new Client(config);
  // A query reports it too.
  other.on('error', () => {});
  try {
    await other.connect();
    await checkSessions(one, other);
  } finally {
    one.release();
    await other.end();
  }
}

function readUrl(url: string): string {
  try {
    return checkedDatabaseUrl(url);
  } catch (error) {
    throw new Error(`Cannot open the database: ${reason(error)}`, { cause: error });
  }
}

/** Node reports a refused connection as an AggregateError with an empty message. */
function reason(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reason).join('; ');
  const advice = certificateAdvice(errorCode(error));
  if (advice !== undefined) return advice;
  return error instanceof Error ? error.message : String(error);
}

import type { Dialect } from 'kysely';
import type { Pool } from 'pg';

import { errorCode } from './error-code.ts';
import { isReusable } from './send-query.ts';
import type { StatementNames } from './statement-names.ts';
import { TransactionSession } from './transaction-session.ts';
import { Transaction } from './transaction.ts';

export interface TransactionOptions {
  /** How often to retry the work after a deadlock or serialization failure. Default 0. */
  retries?: number;
  /** Default 'read committed'. */
  isolation?: 'repeatable read';
  /**
   * COMMIT releases the locks without waiting for the disk; then the call waits for a flush that it
   * shares with others. Until it resolves, other transactions can read rows that a power cut would
   * undo: `Database.durable` resolves when rows that were read are on disk.
   */
  groupFlush?: boolean;
  /** Called after COMMIT, before the flush. */
  onCommit?: () => void;
}

interface Parts {
  pool: Pool;
  dialect: Dialect;
  nameOf: StatementNames;
  notify: (channel: string, payload: string) => void;
  durable: () => Promise<void>;
}

const retryable = new Set(['40001', '40P01']);

/** Runs work in a transaction. Retries it as `retries` says. */
export async function runTransaction<Tables, Result>(
  parts: Parts,
  work: (tx: Transaction<Tables>) => Promise<Result>,
  options: TransactionOptions = {},
): Promise<Result> {
  for (let left = options.retries ?? 0; ; left -= 1) {
    try {
      return await runOnce(parts, work, options);
    } catch (error) {
      if (left <= 0 || !retryable.has(errorCode(error) ?? '')) throw error;
    }
  }
}

async function runOnce<Tables, Result>(
  { pool, dialect, nameOf, notify, durable }: Parts,
  work: (tx: Transaction<Tables>) => Promise<Result>,
  options: TransactionOptions,
): Promise<Result> {
  const client = await pool.connect();
  const session = new TransactionSession({ client, nameOf, notify, begin: beginText(options) });
  let result: Result;
  try {
    result = await work(new Transaction<Tables>(session, dialect));
    await session.commit();
  } catch (error) {
    await session.rollback().catch(() => {});
    throw error;
  } finally {
    client.release(!isReusable(client));
  }
  options.onCommit?.();
  if (options.groupFlush) await durable().catch(notOnDisk);
  for (const callback of session.afterCommit) callback();
  return result;
}

function notOnDisk(cause: unknown): never {
  throw new Error('The committed rows may not be on disk', { cause });
}

function beginText({ isolation, groupFlush }: TransactionOptions): string {
  const text = isolation ? `begin isolation level ${isolation}` : 'begin';
  return groupFlush ? `${text}; set local synchronous_commit = off` : text;
}

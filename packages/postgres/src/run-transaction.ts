import type { Dialect } from 'kysely';

import type { Connections } from './connections.ts';
import { asUnavailable, DatabaseUnavailable } from './database-unavailable.ts';
import { errorCode, isRolledBack } from './error-code.ts';
import { isReusable } from './send-query.ts';
import type { StatementNames } from './statement-names.ts';
import { TransactionSession } from './transaction-session.ts';
import { Transaction } from './transaction.ts';
import { type KindOfWork, responseMs, setLocalLimits, workLimits } from './work-limits.ts';

export interface TransactionOptions<Result = unknown> {
  /** How often to retry the work after a deadlock or serialization failure. Default 0. */
  retries?: number;
  /** Default 'read committed'. */
  isolation?: 'repeatable read';
  /**
   * COMMIT releases the locks without waiting for the disk; then the call waits for a flush that it
   * shares with others. Until it resolves, other transactions can read rows that a power cut would
   * undo: `Database.readDurable` waits until the rows that it read are on disk. Rejects with
   * DatabaseUnavailable if nothing vouches for the commit, because the connection for flushes was
   * lost since the transaction began. A function is asked after the commit whether the call shall
   * wait.
   */
  groupFlush?: boolean | ((result: Result) => boolean);
  /** Decides the time limits. Default 'request'. */
  work?: Exclude<KindOfWork, 'request'>;
  /** Called after COMMIT, before the flush. */
  onCommit?: () => void;
}

interface Parts {
  connections: Connections;
  dialect: Dialect;
  nameOf: StatementNames;
  notify: (channel: string, payload: string) => void;
}

const retryable = new Set(['40001', '40P01']);

/** Runs work in a transaction. Retries it as `retries` says. */
export async function runTransaction<Tables, Result>(
  parts: Parts,
  work: (tx: Transaction<Tables>) => Promise<Result>,
  options: TransactionOptions<Result> = {},
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
  { connections, dialect, nameOf, notify }: Parts,
  work: (tx: Transaction<Tables>) => Promise<Result>,
  options: TransactionOptions<Result>,
): Promise<Result> {
  const witness = options.groupFlush ? await connections.witness() : undefined;
  const client = await (witness ? connections.takeOn(witness) : connections.take());
  const session = new TransactionSession({
    client,
    nameOf,
    notify,
    begin: beginText(options),
    responseMs: responseMs(workLimits[options.work ?? 'request']),
  });
  let isCommitting = false;
  let result: Result;
  try {
    result = await work(new Transaction<Tables>(session, dialect));
    isCommitting = true;
    await session.commit();
  } catch (error) {
    await session.rollback().catch(() => {});
    throw asUnavailable(error, isCommitting && !isRolledBack(error));
  } finally {
    client.release(!isReusable(client));
  }
  options.onCommit?.();
  const { groupFlush } = options;
  if (typeof groupFlush !== 'function' || groupFlush(result))
    await witness?.durable().catch(notOnDisk);
  for (const callback of session.afterCommit) callback();
  return result;
}

function notOnDisk(cause: unknown): never {
  throw new DatabaseUnavailable({ cause, mayBeCommitted: true });
}

function beginText<Result>({ isolation, groupFlush, work }: TransactionOptions<Result>): string {
  const text = isolation ? `begin isolation level ${isolation}` : 'begin';
  const commit = groupFlush ? '; set local synchronous_commit = off' : '';
  return text + commit + (work ? setLocalLimits(workLimits[work]) : '');
}

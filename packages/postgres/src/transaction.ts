import {
  type Compilable,
  CompiledQuery,
  type DatabaseConnection,
  DefaultQueryExecutor,
  type Dialect,
  PostgresAdapter,
  PostgresQueryCompiler,
  Transaction as KyselyTransaction,
} from 'kysely';

import type { Last, TransactionSession } from './transaction-session.ts';

/** An open transaction: a Kysely for its queries, and hooks for its end. */
export class Transaction<Tables> extends KyselyTransaction<Tables> {
  readonly #session: TransactionSession;

  constructor(session: TransactionSession, dialect: Dialect) {
    const executor = new DefaultQueryExecutor(compiler, adapter, {
      provideConnection: (consumer) => consumer(session satisfies DatabaseConnection),
    });
    super({ config: { dialect }, dialect, driver: dialect.createDriver(), executor });
    this.#session = session;
  }

  /**
   * Adds a query that is sent with COMMIT in one round trip, after the work; several run in the order
   * of the calls. For rows that many transactions lock, such as a realm's counter: it keeps the lock
   * short. If the query fails, the transaction rolls back and rejects with its error.
   */
  last<Row>(query: Compilable<Row> | CompiledQuery<Row>): Last<Row> {
    return this.#session.addLast<Row>('compile' in query ? query.compile() : query);
  }

  /** Calls back after a commit, not after a rollback. The callback must not throw. */
  afterCommit(callback: () => void): void {
    this.#session.afterCommit.push(callback);
  }

  /** Notifies a channel after the commit. Equal notifications are sent once. */
  notify(channel: string, payload = ''): void {
    this.#session.addNotification(channel, payload);
  }
}

const adapter = new PostgresAdapter();
const compiler = new PostgresQueryCompiler();

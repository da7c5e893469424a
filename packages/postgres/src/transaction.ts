import {
  type Compilable,
  CompiledQuery,
  type DatabaseConnection,
  DefaultQueryExecutor,
  type Dialect,
  Transaction as KyselyTransaction,
  PostgresAdapter,
  PostgresQueryCompiler,
} from 'kysely';

import type { TransactionSession } from './transaction-session.ts';

/** A query sent together with COMMIT. Its rows can be read once the transaction has ended well. */
export interface Last<Row> {
  readonly rows: Row[];
}

/** One open transaction: a Kysely for its queries, and what is to happen at its end. */
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
   * Hands in a query that is sent together with COMMIT in one round trip, after the work is done,
   * in the order handed in. For rows that everybody locks, such as a realm's counter: they stay
   * locked for as short as possible. If it fails, nothing is committed and the transaction rejects
   * with its error.
   */
  last<Row>(query: Compilable<Row> | CompiledQuery<Row>): Last<Row> {
    return this.#session.addLast<Row>('compile' in query ? query.compile() : query);
  }

  /** Calls back after a successful commit, never after a rollback. It must not throw. */
  afterCommit(callback: () => void): void {
    this.#session.afterCommit.push(callback);
  }

  /** Notifies a channel after a successful commit. Several alike are sent once. */
  notify(channel: string, payload = ''): void {
    this.#session.addNotification(channel, payload);
  }
}

const adapter = new PostgresAdapter();
const compiler = new PostgresQueryCompiler();

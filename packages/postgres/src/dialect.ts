import {
  type CompiledQuery,
  type DatabaseConnection,
  DefaultQueryExecutor,
  type Dialect,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import type { PoolClient } from 'pg';

import type { AbandonedQueries } from './abandoned-queries.ts';
import type { Connections } from './connections.ts';
import { asUnavailable } from './database-unavailable.ts';
import { isRolledBack } from './error-code.ts';
import { isReusable, type SendOptions, sendQuery } from './send-query.ts';

class PooledConnection implements DatabaseConnection {
  readonly client: PoolClient;
  readonly #options: SendOptions;

  constructor(client: PoolClient, options: SendOptions) {
    this.client = client;
    this.#options = options;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    try {
      return await sendQuery<Row>(this.client, query, this.#options);
    } catch (error) {
      const mayWrite = !/^\s*select\b/i.test(query.sql);
      throw asUnavailable(error, mayWrite && !isRolledBack(error));
    }
  }

  streamQuery(): never {
    throw new Error('Streaming is not supported: use pages');
  }
}

/** Kysely on a pool: each statement commits by itself. `Database.transaction` opens transactions. */
export function dialect(connections: Connections, options: SendOptions): Dialect {
  const clients = new WeakMap<DatabaseConnection, PoolClient>();
  const noTransaction = () => Promise.reject(new Error('Use database.transaction(work) instead'));
  // One driver for all: every request that reads has a Kysely of its own.
  const driver: Driver = {
    init: async () => {},
    async acquireConnection() {
      const connection = new PooledConnection(await connections.take(), options);
      clients.set(connection, connection.client);
      return connection;
    },
    async releaseConnection(connection) {
      const client = clients.get(connection);
      client?.release(!isReusable(client));
    },
    beginTransaction: noTransaction,
    commitTransaction: noTransaction,
    rollbackTransaction: noTransaction,
    destroy: async () => {},
  };
  return {
    createAdapter: () => new PostgresAdapter(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createDriver: () => driver,
  };
}

interface KyselyParts {
  readonly dialect: Dialect;
  readonly take: () => Promise<PoolClient>;
  readonly options: SendOptions;
}

/** A Kysely whose statements run on the connections that `take` returns. */
export const kyselyOn = <Tables>({ dialect, take, options }: KyselyParts): Kysely<Tables> =>
  withConnections(dialect, async (consumer) => {
    const client = await take();
    try {
      return await consumer(new PooledConnection(client, options));
    } finally {
      client.release(!isReusable(client));
    }
  });

/** A Kysely that stops a running query when the signal is aborted. */
export const kyselyFor = <Tables>(
  { dialect, take, options }: KyselyParts,
  abandoned: AbandonedQueries,
  signal: () => AbortSignal,
): Kysely<Tables> =>
  withConnections(dialect, async (consumer) => {
    const client = await take();
    return await abandoned.run(client, signal, {
      work: () => consumer(new PooledConnection(client, options)),
      release: (isSpoilt) => client.release(isSpoilt || !isReusable(client)),
    });
  });

function withConnections<Tables>(
  dialect: Dialect,
  provideConnection: <T>(consumer: (connection: DatabaseConnection) => Promise<T>) => Promise<T>,
): Kysely<Tables> {
  const executor = new DefaultQueryExecutor(compiler, adapter, { provideConnection });
  return new Kysely<Tables>({
    config: { dialect },
    dialect,
    driver: dialect.createDriver(),
    executor,
  });
}

const adapter = new PostgresAdapter();
const compiler = new PostgresQueryCompiler();

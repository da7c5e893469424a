import {
  type DatabaseConnection,
  type Dialect,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';
import type { Pool, PoolClient } from 'pg';

import { isReusable, sendQuery } from './send-query.ts';
import type { StatementNames } from './statement-names.ts';

class PooledConnection implements DatabaseConnection {
  readonly client: PoolClient;
  readonly #nameOf: StatementNames;

  constructor(client: PoolClient, nameOf: StatementNames) {
    this.client = client;
    this.#nameOf = nameOf;
  }

  executeQuery<Row>(query: Parameters<DatabaseConnection['executeQuery']>[0]) {
    return sendQuery<Row>(this.client, query, this.#nameOf);
  }

  streamQuery(): never {
    throw new Error('Streaming is not supported: use pages');
  }
}

/** Kysely on a pool: each statement commits by itself. `Database.transaction` opens transactions. */
export function dialect(pool: Pool, nameOf: StatementNames): Dialect {
  const connections = new WeakMap<DatabaseConnection, PoolClient>();
  const noTransaction = () => Promise.reject(new Error('Use database.transaction(work) instead'));
  return {
    createAdapter: () => new PostgresAdapter(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createDriver: () => ({
      init: async () => {},
      async acquireConnection() {
        const connection = new PooledConnection(await pool.connect(), nameOf);
        connections.set(connection, connection.client);
        return connection;
      },
      async releaseConnection(connection) {
        const client = connections.get(connection);
        client?.release(!isReusable(client));
      },
      beginTransaction: noTransaction,
      commitTransaction: noTransaction,
      rollbackTransaction: noTransaction,
      destroy: async () => {},
    }),
  };
}

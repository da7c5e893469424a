import type { CompiledQuery, QueryResult } from 'kysely';
import type { PoolClient, QueryResult as PgResult } from 'pg';

import { errorCode } from './error-code.ts';
import type { StatementNames } from './statement-names.ts';

const counted = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);
const spoiled = new WeakSet<PoolClient>();

export interface SendOptions {
  readonly nameOf: StatementNames;
  /** After this time without a response the connection is closed. Undefined: no limit. */
  readonly responseMs: number | undefined;
}

/** Sends a compiled query without waiting for earlier queries of the connection. */
export async function sendQuery<Row>(
  client: PoolClient,
  query: CompiledQuery,
  { nameOf, responseMs }: SendOptions,
): Promise<QueryResult<Row>> {
  const name = nameOf(query.sql);
  const config = {
    text: query.sql,
    values: [...query.parameters],
    ...(name && { name }),
    ...(responseMs !== undefined && { query_timeout: responseMs }),
  };
  let result: PgResult;
  try {
    result = await client.query(config);
  } catch (error) {
    if (isSpoiling(error)) spoiled.add(client);
    throw error;
  }
  const rows: Row[] = result.rows;
  if (!counted.has(result.command)) return { rows };
  return { rows, numAffectedRows: BigInt(result.rowCount ?? 0) };
}

/** Whether the pool can reuse a connection: alive, outside any transaction, prepared plans valid. */
export function isReusable(client: PoolClient): boolean {
  return client.getTransactionStatus() === 'I' && !spoiled.has(client);
}

/** Whether the connection is lost after this error, or its plans no longer match the tables. */
function isSpoiling(error: unknown): boolean {
  const code = errorCode(error);
  return code === undefined || !/^[0-9A-Z]{5}$/.test(code) || /^(57P|08|0A000|25P0[34])/.test(code);
}

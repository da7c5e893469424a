import type { CompiledQuery, QueryResult } from 'kysely';
import type { PoolClient, QueryResult as PgResult } from 'pg';

import { errorCode } from './error-code.ts';
import type { StatementNames } from './statement-names.ts';

const counted = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);
const spoiled = new WeakSet<PoolClient>();

/** Sends a compiled query at once, without waiting for earlier ones on the same connection. */
export async function sendQuery<Row>(
  client: PoolClient,
  query: CompiledQuery,
  nameOf: StatementNames,
): Promise<QueryResult<Row>> {
  const name = nameOf(query.sql);
  const config = { text: query.sql, values: [...query.parameters], ...(name && { name }) };
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

/** Whether a connection can serve someone else: alive, outside any transaction, its plans still valid. */
export function isReusable(client: PoolClient): boolean {
  return client.getTransactionStatus() === 'I' && !spoiled.has(client);
}

/** Errors after which a connection ends (shutdown, lost link), or whose plans no longer fit the tables. */
function isSpoiling(error: unknown): boolean {
  const code = errorCode(error);
  return code === undefined || !/^[0-9A-Z]{5}$/.test(code) || /^(57P|08|0A000|25P0[34])/.test(code);
}

import type { CompiledQuery, QueryResult } from 'kysely';
import type { PoolClient, QueryResult as PgResult } from 'pg';

import { errorCode } from './error-code.ts';
import type { StatementNames } from './statement-names.ts';

const counted = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);
const stalePlans = new WeakSet<PoolClient>();

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
    if (errorCode(error) === '0A000') stalePlans.add(client);
    throw error;
  }
  const rows: Row[] = result.rows;
  if (!counted.has(result.command)) return { rows };
  return { rows, numAffectedRows: BigInt(result.rowCount ?? 0) };
}

/** Whether a connection can serve someone else: alive, outside any transaction, its plans still valid. */
export function isReusable(client: PoolClient): boolean {
  return client.getTransactionStatus() === 'I' && !stalePlans.has(client);
}

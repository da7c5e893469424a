import { cipherId } from '@bellhop/push-crypto/cipher-id';
import { type Kysely, type Selectable, sql } from 'kysely';

import { deleteInBatches } from '../storage/delete-in-batches.ts';
import { DAY_MS, type Sweep } from '../storage/sweep.ts';
import type { BouncerTables, PushTraceTable } from '../storage/tables.ts';
import type { TraceEntry } from './trace-entry.ts';

type Db = Kysely<BouncerTables>;
export type TraceRow = Selectable<PushTraceTable>;

/** Adds rows with one statement, except those of deleted realms. */
export async function insertEntries(
  db: Db,
  entries: readonly TraceEntry[],
  at: Date,
): Promise<void> {
  const columns = [
    sql`${entries.map(({ realm_uuid }) => realm_uuid)}::uuid[]`,
    sql`${entries.map(({ server_uuid }) => server_uuid)}::uuid[]`,
    sql`${entries.map(({ encrypted_data }) => cipherId(encrypted_data))}::text[]`,
    sql`${entries.map(({ push_id }) => push_id)}::uuid[]`,
    sql`${entries.map(({ device_id }) => device_id)}::bigint[]`,
    sql`${entries.map(({ entry }) => JSON.stringify(entry))}::text[]`,
  ];
  const realms = [...new Set(entries.map(({ realm_uuid }) => realm_uuid))];
  // Arrays cost PostgreSQL half of what json_to_recordset does. The subquery keeps their order, a join does not.
  await sql`
    insert into push_trace (at, realm_uuid, server_uuid, cipher_id, push_id, device_id, entry)
    select ${at}, fresh.realm_uuid, server_uuid, cipher_id, push_id, device_id, entry::json
    from unnest(${sql.join(columns)})
      as fresh (realm_uuid, server_uuid, cipher_id, push_id, device_id, entry)
    where fresh.realm_uuid = any(array(
      select r.realm_uuid from remote_realm r where r.realm_uuid = any(${realms}::uuid[])))`.execute(
    db,
  );
}

interface RowFilter {
  readonly cipherIds: readonly string[];
  /** Selects only notifications of this chat server. */
  readonly serverUuid?: string | undefined;
}

/** Rows of one answer, at most. */
const MAX_ROWS = 2_000;

/** The newest rows of these ciphertexts, the oldest first. */
export async function rowsOf(db: Db, { cipherIds, serverUuid }: RowFilter): Promise<TraceRow[]> {
  let query = db
    .selectFrom('push_trace')
    .selectAll()
    .where(sql<boolean>`cipher_id = any(${cipherIds}::text[])`);
  if (serverUuid !== undefined) query = query.where('server_uuid', '=', serverUuid);
  const rows = await query.orderBy('number', 'desc').limit(MAX_ROWS).execute();
  return rows.toReversed();
}

const KEEP_TRACES_MS = 3 * DAY_MS;

/** Deletes traces after 3 days, and the oldest of those that are more than the operator keeps. */
export const sweepTraces: Sweep = ({ db, now, keep, signal }) => {
  const surplus = sql`number <= (select max(number) from push_trace) - ${keep.traces}`;
  const where = sql`(${surplus} or at < ${new Date(now - KEEP_TRACES_MS)})`;
  return deleteInBatches(db, { table: 'push_trace', where, orderBy: 'number' }, signal);
};

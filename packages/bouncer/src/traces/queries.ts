import { cipherId } from '@bellhop/push-crypto/cipher-id';
import { type Kysely, type Selectable, sql } from 'kysely';

import type { BouncerTables, PushTraceTable } from '../tables.ts';
import type { TraceEntry } from './trace-entry.ts';

type Db = Kysely<BouncerTables>;
export type TraceRow = Selectable<PushTraceTable>;

/** Adds rows with one statement; none of a realm that was deleted. */
export async function insertEntries(
  db: Db,
  entries: readonly TraceEntry[],
  at: Date,
): Promise<void> {
  const rows = entries.map(({ encrypted_data, ...row }, place) => ({
    ...row,
    place,
    cipher_id: cipherId(encrypted_data),
  }));
  await sql`
    insert into push_trace (at, realm_uuid, server_uuid, cipher_id, push_id, device_id, entry)
    select ${at}, realm_uuid, server_uuid, cipher_id, push_id, device_id, entry
    from json_to_recordset(${JSON.stringify(rows)}::json) as fresh (place integer, realm_uuid uuid,
      server_uuid uuid, cipher_id text, push_id uuid, device_id bigint, entry json)
    where exists (select from remote_realm r where r.realm_uuid = fresh.realm_uuid)
    order by place`.execute(db);
}

interface RowFilter {
  readonly cipherIds: readonly string[];
  /** Only what this chat server has sent. */
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

/** Rows that one statement deletes. */
const DELETED_AT_ONCE = 10_000;

/** Deletes rows from before `before`, and all but the newest `limit`. */
export async function deleteOldRows(db: Db, before: Date, limit: number): Promise<void> {
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      delete from push_trace where number in (
        select number from push_trace
        where number <= (select max(number) from push_trace) - ${limit} or at < ${before}
        order by number limit ${DELETED_AT_ONCE})`.execute(db);
    if (numAffectedRows < BigInt(DELETED_AT_ONCE)) return;
  }
}

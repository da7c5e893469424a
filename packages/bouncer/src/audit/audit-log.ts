import type { Kysely, Selectable } from 'kysely';

import type { AuditEntryTable, BouncerTables } from '../tables.ts';
import type { AuditAction } from './audit-action.ts';

type Db = Kysely<BouncerTables>;
export type AuditEntry = Selectable<AuditEntryTable>;

interface AuditedAction {
  readonly at: Date;
  /** Default: the chat server. */
  readonly actor?: string;
  readonly action: AuditAction;
  readonly serverUuid?: string;
  readonly realmUuid?: string;
  readonly deviceId?: number;
  /** No secrets, and nothing about persons. */
  readonly detail?: Readonly<Record<string, string | number | null>>;
}

/** Records an action. Call it in the transaction of the recorded change. */
export const recordAction = (
  db: Db,
  { at, actor = 'server', action, serverUuid, realmUuid, deviceId, detail = {} }: AuditedAction,
): Promise<unknown> =>
  db
    .insertInto('audit_entry')
    .values({
      at,
      actor,
      action,
      server_uuid: serverUuid ?? null,
      realm_uuid: realmUuid ?? null,
      device_id: deviceId ?? null,
      detail: JSON.stringify(detail),
    })
    .execute();

/** The latest entries, the newest first; of one server, or all. */
export const latestEntries = (
  db: Db,
  { serverUuid, limit }: { readonly serverUuid?: string | undefined; readonly limit: number },
): Promise<AuditEntry[]> =>
  db
    .selectFrom('audit_entry')
    .selectAll()
    .$if(serverUuid !== undefined, (query) => query.where('server_uuid', '=', serverUuid ?? null))
    .orderBy('number', 'desc')
    .limit(limit)
    .execute();

export const deleteOldEntries = (db: Db, before: Date): Promise<unknown> =>
  db.deleteFrom('audit_entry').where('at', '<', before).execute();

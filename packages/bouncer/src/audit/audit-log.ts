import type { AuditAction } from '@bellhop/protocol/bouncer';
import type { Kysely, Selectable } from 'kysely';

import { DAY_MS, type Sweep } from '../storage/sweep.ts';
import type { AuditEntryTable, BouncerTables } from '../storage/tables.ts';

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

interface AuditFilter {
  readonly serverUuid?: string | undefined;
  readonly action?: AuditAction | undefined;
  readonly limit: number;
}

/** The latest entries that fit the filter, the newest first. */
export const latestEntries = (
  db: Db,
  { serverUuid, action, limit }: AuditFilter,
): Promise<AuditEntry[]> =>
  db
    .selectFrom('audit_entry')
    .selectAll()
    .$if(serverUuid !== undefined, (query) => query.where('server_uuid', '=', serverUuid ?? null))
    .where((eb) => eb.and(action === undefined ? [] : [eb('action', '=', action)]))
    .orderBy('number', 'desc')
    .limit(limit)
    .execute();

/** Deletes entries that the operator keeps no longer. */
export const sweepAudit: Sweep = ({ db, now, keep }) =>
  db
    .deleteFrom('audit_entry')
    .where('at', '<', new Date(now - keep.auditDays * DAY_MS))
    .execute();

import type { AnnouncedRealm } from '@bellhop/protocol';
import { type Kysely, type Selectable, sql } from 'kysely';

import type { BouncerTables, RemoteRealmTable, RemoteServerTable } from '../tables.ts';
import { hashOf } from './secret-hash.ts';

export type RemoteServer = Selectable<RemoteServerTable>;
export type RemoteRealm = Selectable<RemoteRealmTable>;
type Db = Kysely<BouncerTables>;

export const serverByUuid = (db: Db, uuid: string): Promise<RemoteServer | undefined> =>
  db.selectFrom('remote_server').selectAll().where('server_uuid', '=', uuid).executeTakeFirst();

/** As `serverByUuid`; locks the row until the transaction ends. */
export const lockedServer = (db: Db, uuid: string): Promise<RemoteServer | undefined> =>
  db
    .selectFrom('remote_server')
    .selectAll()
    .where('server_uuid', '=', uuid)
    .forUpdate()
    .executeTakeFirst();

export const realmByUuid = (db: Db, uuid: string): Promise<RemoteRealm | undefined> =>
  db.selectFrom('remote_realm').selectAll().where('realm_uuid', '=', uuid).executeTakeFirst();

export const realmsOf = (db: Db, serverUuid: string): Promise<RemoteRealm[]> =>
  db.selectFrom('remote_realm').selectAll().where('server_uuid', '=', serverUuid).execute();

/**
 * Stores a realm of the server. False if it belongs to another server: it moves only from a deactivated
 * one, and only with the owner's secret. One statement decides: of servers that announce a realm at the
 * same time, the first one owns it.
 */
export async function saveRealm(
  db: Db,
  serverUuid: string,
  realm: AnnouncedRealm,
): Promise<boolean> {
  const facts = {
    server_uuid: serverUuid,
    realm_id: realm.id,
    host: realm.host,
    url: realm.url,
    name: realm.name,
    deactivated: realm.deactivated,
  };
  const saved = await db
    .insertInto('remote_realm')
    .values({
      ...facts,
      realm_uuid: realm.uuid,
      owner_secret_hash: hashOf(realm.uuid_owner_secret),
    })
    .onConflict((conflict) =>
      conflict
        .column('realm_uuid')
        .doUpdateSet(facts)
        .where(
          sql<boolean>`remote_realm.server_uuid = excluded.server_uuid
            or (remote_realm.owner_secret_hash = excluded.owner_secret_hash
              and exists (select from remote_server
                where server_uuid = remote_realm.server_uuid and deactivated))`,
        ),
    )
    .returning('realm_uuid')
    .executeTakeFirst();
  return saved !== undefined;
}

export interface Progress {
  last_realm_count_id: number;
  last_installation_count_id: number;
  last_realmauditlog_id: number;
}

/** Stores the last ids of a server's analytics; they never decrease. */
export async function saveProgress(
  db: Db,
  serverUuid: string,
  facts: Progress & { version: string | undefined },
): Promise<void> {
  const atLeast = (column: keyof Progress) =>
    sql<number>`greatest(${sql.ref(column)}, ${facts[column]}::bigint)`;
  await db
    .updateTable('remote_server')
    .set({
      last_realm_count_id: atLeast('last_realm_count_id'),
      last_installation_count_id: atLeast('last_installation_count_id'),
      last_realmauditlog_id: atLeast('last_realmauditlog_id'),
      ...(facts.version === undefined ? {} : { version: facts.version }),
    })
    .where('server_uuid', '=', serverUuid)
    .execute();
}

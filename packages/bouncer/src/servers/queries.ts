import { numberArray } from '@bellhop/postgres';
import type { AnnouncedRealm } from '@bellhop/protocol/bouncer';
import { type Insertable, type Kysely, type Selectable, sql } from 'kysely';

import type {
  BouncerTables,
  HostChallengeTable,
  RemoteRealmTable,
  RemoteServerTable,
} from '../storage/tables.ts';
import { isBanned } from './bans.ts';
import { hashOf } from './secret-hash.ts';

export type RemoteServer = Selectable<RemoteServerTable>;
/** A server that makes a request. */
export interface CallingServer extends RemoteServer {
  readonly is_banned: boolean;
}
export type RemoteRealm = Selectable<RemoteRealmTable>;
type Db = Kysely<BouncerTables>;

/**
 * A JSON value, not an array: PostgreSQL knows the length of an array, and would plan each of these
 * statements anew, which takes longer than to run it.
 */
const isAmong = (column: string, uuids: readonly string[]) =>
  sql<boolean>`${sql.ref(column)} in (
    select one::uuid from json_array_elements_text(${JSON.stringify([...new Set(uuids)])}::json) one)`;

/** The server with each of the UUIDs, or undefined. */
export async function callingServers(
  db: Db,
  uuids: readonly string[],
): Promise<(CallingServer | undefined)[]> {
  const found = await db
    .selectFrom('remote_server')
    .selectAll()
    .select(isBanned.as('is_banned'))
    .where(isAmong('server_uuid', uuids))
    .execute();
  const byUuid = new Map(found.map((server) => [server.server_uuid, server]));
  return uuids.map((uuid) => byUuid.get(uuid.toLowerCase()));
}

/** The active server with this host name. */
export const serverByHost = (db: Db, hostname: string): Promise<RemoteServer | undefined> =>
  db
    .selectFrom('remote_server')
    .selectAll()
    .where(sql`lower(hostname)`, '=', hostname)
    .where('deactivated', '=', false)
    .executeTakeFirst();

/** Replaces the key, also a former one that is still valid. */
export const replaceKey = (db: Db, serverUuid: string, key_hash: Buffer): Promise<unknown> =>
  db
    .updateTable('remote_server')
    .set({ key_hash, former_key_hash: null, former_key_until: null })
    .where('server_uuid', '=', serverUuid)
    .execute();

/** False if the server is so already, or unknown. */
export async function setDeactivated(
  db: Db,
  serverUuid: string,
  deactivated: boolean,
): Promise<boolean> {
  const changed = await db
    .updateTable('remote_server')
    .set({ deactivated })
    .where('server_uuid', '=', serverUuid)
    .where('deactivated', '!=', deactivated)
    .returning('server_uuid')
    .executeTakeFirst();
  return changed !== undefined;
}

/** Stores a challenge, and deletes those that have expired. */
export async function storeChallenge(
  db: Db,
  { now, ...challenge }: Insertable<HostChallengeTable> & { readonly now: Date },
): Promise<void> {
  await db.deleteFrom('host_challenge').where('expires_at', '<', now).execute();
  await db.insertInto('host_challenge').values(challenge).execute();
}

/** Uses up a challenge, which can be met once. False if there is none. */
export async function spendChallenge(
  db: Db,
  { secret_hash, hostname, now }: { secret_hash: Buffer; hostname: string; now: Date },
): Promise<boolean> {
  const spent = await db
    .deleteFrom('host_challenge')
    .where('secret_hash', '=', secret_hash)
    .where('hostname', '=', hostname)
    .where('expires_at', '>', now)
    .returning('hostname')
    .executeTakeFirst();
  return spent !== undefined;
}

/** Locks the row until the transaction ends. */
export const lockedServer = (db: Db, uuid: string): Promise<RemoteServer | undefined> =>
  db
    .selectFrom('remote_server')
    .selectAll()
    .where('server_uuid', '=', uuid)
    .forUpdate()
    .executeTakeFirst();

/** The realm with each of the UUIDs, or undefined. */
export async function realmsByUuid(
  db: Db,
  uuids: readonly string[],
): Promise<(RemoteRealm | undefined)[]> {
  const found = await db
    .selectFrom('remote_realm')
    .selectAll()
    .where(isAmong('realm_uuid', uuids))
    .execute();
  const byUuid = new Map(found.map((realm) => [realm.realm_uuid, realm]));
  return uuids.map((uuid) => byUuid.get(uuid.toLowerCase()));
}

export const realmsOf = (db: Db, serverUuid: string): Promise<RemoteRealm[]> =>
  db.selectFrom('remote_realm').selectAll().where('server_uuid', '=', serverUuid).execute();

/**
 * Stores realms of the server, of those with the same UUID the last. False if one belongs to another
 * server: it moves only from a deactivated one, and only with the owner's secret. One statement
 * decides: of servers that announce a realm at the same time, the first one owns it. It locks the rows
 * in the order of their UUIDs, so that two announcements do not wait for each other.
 */
export async function saveRealms(
  db: Db,
  serverUuid: string,
  announced: readonly AnnouncedRealm[],
): Promise<boolean> {
  const realms = [...new Map(announced.map((realm) => [realm.uuid.toLowerCase(), realm])).values()];
  if (realms.length === 0) return true;
  const { rows } = await sql`
    insert into remote_realm as known
      (server_uuid, realm_uuid, realm_id, host, url, name, deactivated, owner_secret_hash)
    select ${serverUuid}, r.* from unnest(${realms.map(({ uuid }) => uuid)}::uuid[],
      ${numberArray(realms.map(({ id }) => id))}::bigint[],
      ${realms.map(({ host }) => host)}::text[], ${realms.map(({ url }) => url)}::text[],
      ${realms.map(({ name }) => name)}::text[],
      ${realms.map(({ deactivated }) => deactivated)}::boolean[],
      ${realms.map(({ uuid_owner_secret }) => hashOf(uuid_owner_secret))}::bytea[]) r (realm_uuid)
    order by r.realm_uuid
    on conflict (realm_uuid) do update set server_uuid = excluded.server_uuid,
      realm_id = excluded.realm_id, host = excluded.host, url = excluded.url,
      name = excluded.name, deactivated = excluded.deactivated
    where known.server_uuid = excluded.server_uuid
      or (known.owner_secret_hash = excluded.owner_secret_hash and exists (
        select from remote_server s where s.server_uuid = known.server_uuid and s.deactivated))
    returning realm_uuid`.execute(db);
  return rows.length === realms.length;
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

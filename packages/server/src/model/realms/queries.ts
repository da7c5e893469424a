import {
  type RealmGroupSetting,
  type RealmId,
  type RealmSettingValues,
  type UserGroupId,
} from '@bellhop/protocol';
import { sql, type Generated, type JSONColumnType } from 'kysely';

import type { Db, LockedTx, Tx } from '../../engine/call.ts';
import type { Realm } from '../../engine/caller.ts';
import { guestsSeeAllUsers } from '../../engine/guests-see-all-users.ts';

type Json = JSONColumnType<Record<string, unknown>, string | undefined, string>;

declare module '../../engine/tables.ts' {
  interface Tables {
    realm: {
      id: Generated<RealmId>;
      subdomain: string;
      name: string;
      description: Generated<string>;
      uuid: Generated<string>;
      uuid_owner_secret: string;
      is_active: Generated<boolean>;
      waiting_period_days: Generated<number>;
      full_members_at: Generated<Date>;
      settings: Json;
      group_settings: Json;
      user_defaults: Json;
      push_enabled: Generated<boolean>;
      push_end_timestamp: number | null;
      date_created: Generated<Date>;
    };
    /** Where realms are found: a table of all of them. */
    realm_name: { id: RealmId; subdomain: string; uuid: string };
    event_counter: {
      realm_id: RealmId;
      last_seq: Generated<number>;
    };
  }
}

const columns = [
  'id',
  'subdomain',
  'name',
  'description',
  'uuid',
  'is_active',
  'waiting_period_days',
  'settings',
  'group_settings',
  'user_defaults',
  'date_created',
] as const;

export type RealmRow = Omit<Realm, 'url' | 'has_web_public_channels' | 'linkifiers' | 'emoji'>;
const withGroupIds = <R extends { group_settings: Record<string, unknown> }>(row: R) => ({
  ...row,
  group_settings: row.group_settings as Record<RealmGroupSetting, UserGroupId>,
});

const hasPushDevices = (realm: RealmId) => sql<boolean>`(exists (select from push_device d
    where d.realm_id = ${realm} and d.bouncer_device_id is not null)
  or exists (select from client_device d
    where d.realm_id = ${realm} and d.push_token_id is not null))`;

/** The realm with this subdomain: '' for the default one. */
export async function idOf(db: Db, subdomain: string): Promise<RealmId | undefined> {
  const row = await db
    .selectFrom('realm_name')
    .select('id')
    .where('subdomain', '=', subdomain)
    .executeTakeFirst();
  return row?.id;
}

export async function byId(db: Db, realm: number): Promise<RealmRow> {
  const id = realm as RealmId;
  const row = await db
    .selectFrom('realm')
    .select([
      ...columns,
      guestsSeeAllUsers(id).as('guests_see_all_users'),
      hasPushDevices(id).as('has_push_devices'),
    ])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return withGroupIds(row);
}

export const ids = async (db: Db): Promise<RealmId[]> =>
  (await db.selectFrom('realm_name').select('id').orderBy('id').execute()).map(({ id }) => id);

/** Whether the server has a realm besides this one. */
export const hasOther = async (db: Db, id: RealmId): Promise<boolean> =>
  (await db
    .selectFrom('realm_name')
    .select('id')
    .where('id', '<>', id)
    .limit(1)
    .executeTakeFirst()) !== undefined;

/** Returns whether that changed anything. */
export async function setActive(tx: Tx, id: RealmId, is_active: boolean): Promise<boolean> {
  const updated = await tx
    .updateTable('realm')
    .set({ is_active })
    .where('id', '=', id)
    .where('is_active', '!=', is_active)
    .returning('id')
    .executeTakeFirst();
  return updated !== undefined;
}

/**
 * Makes other changes of the realm wait for this one: of its settings, users, groups, channels and
 * subscriptions. A change reads what it depends on after this lock, and takes other locks after it.
 */
export async function lock(tx: Tx, id: RealmId): Promise<LockedTx> {
  await tx.selectFrom('realm').select('id').where('id', '=', id).forNoKeyUpdate().execute();
  return tx as LockedTx;
}

/**
 * Locks a realm. Returns it with the settings of now: a change that this one has waited for may have replaced
 * those of the request, and deleted the groups that they name.
 */
export async function locked(tx: Tx, realm: Realm): Promise<Realm> {
  await lock(tx, realm.id);
  return { ...realm, ...(await byId(tx, realm.id)) };
}

/** A realm with its push status and the secret that proves its ownership to the bouncer. */
export const withOwnerSecret = (db: Db, id: RealmId) =>
  db
    .selectFrom('realm')
    .select([...columns, 'push_enabled', 'push_end_timestamp', 'uuid_owner_secret'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

export async function insert(
  tx: Tx,
  realm: { subdomain: string; name: string; description: string; uuid_owner_secret: string },
): Promise<RealmId> {
  const { subdomain, name, description, uuid_owner_secret } = realm;
  const { id } = await tx
    .selectNoFrom(sql<RealmId>`nextval('realm_id_seq')`.as('id'))
    .executeTakeFirstOrThrow();
  const uuid = crypto.randomUUID();
  await tx.insertInto('realm_name').values({ id, subdomain, uuid }).execute();
  await sql`insert into realm (id, subdomain, uuid, name, description, uuid_owner_secret)
    overriding system value
    values (${id}, ${subdomain}, ${uuid}, ${name}, ${description}, ${uuid_owner_secret})`.execute(
    tx,
  );
  await tx.insertInto('event_counter').values({ realm_id: id }).execute();
  return id;
}

export async function setGroupSettings(
  tx: Tx,
  id: RealmId,
  settings: Readonly<Record<RealmGroupSetting, UserGroupId>>,
): Promise<void> {
  await tx
    .updateTable('realm')
    .set({ group_settings: JSON.stringify(settings) })
    .where('id', '=', id)
    .execute();
}

/** Stores changed settings of a realm, in their columns or among the others. */
export async function storeSettings(
  tx: Tx,
  { id, settings }: Pick<Realm, 'id' | 'settings'>,
  changes: Partial<RealmSettingValues>,
): Promise<void> {
  const { name, description, waiting_period_threshold: days, ...others } = changes;
  await tx
    .updateTable('realm')
    .set({
      ...(name === undefined ? {} : { name }),
      ...(description === undefined ? {} : { description }),
      ...(days === undefined ? {} : { waiting_period_days: days }),
      settings: JSON.stringify({ ...settings, ...others }),
    })
    .where('id', '=', id)
    .execute();
}

/**
 * Records that clients have learned of all present full members. Returns the time up to which they had learned of them.
 */
export async function noteFullMembers(tx: Tx, id: RealmId): Promise<Date> {
  const former = await tx
    .selectFrom('realm')
    .select('full_members_at')
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  await tx
    .updateTable('realm')
    .set({ full_members_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();
  return former.full_members_at;
}

/** Replaces the settings that new users of a realm start with. */
export async function setUserDefaults(tx: Tx, id: RealmId, defaults: object): Promise<void> {
  await tx
    .updateTable('realm')
    .set({ user_defaults: JSON.stringify(defaults) })
    .where('id', '=', id)
    .execute();
}

interface PushStatus {
  readonly can_push: boolean;
  /** When the permission to push ends, UNIX seconds; null if no end is known. */
  readonly end: number | null;
}

export const pushStatus = (db: Db, id: RealmId): Promise<PushStatus> =>
  db
    .selectFrom('realm')
    .select(['push_enabled as can_push', 'push_end_timestamp as end'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

/** Stores the push status of a realm. Returns the former one, or undefined if nothing changed. */
export async function exchangePushStatus(
  tx: Tx,
  id: RealmId,
  { can_push, end }: PushStatus,
): Promise<PushStatus | undefined> {
  return tx
    .with('before', (db) =>
      db
        .selectFrom('realm')
        .select(['id', 'push_enabled as can_push', 'push_end_timestamp as end'])
        .where('id', '=', id)
        .where((eb) =>
          eb.or([
            eb('push_enabled', '!=', can_push),
            eb('push_end_timestamp', 'is distinct from', end),
          ]),
        )
        .forUpdate(),
    )
    .updateTable('realm')
    .from('before')
    .set({ push_enabled: can_push, push_end_timestamp: end })
    .where('realm.id', '=', id)
    .returning(['before.can_push', 'before.end'])
    .executeTakeFirst();
}

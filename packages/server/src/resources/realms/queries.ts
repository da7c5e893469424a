import type { RealmGroupSetting, RealmId, UserGroupId } from '@bellhop/protocol';

import type { Db, Tx } from '../../engine/call.ts';
import type { Realm } from '../../engine/caller.ts';

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
  'push_enabled',
  'push_end_timestamp',
  'date_created',
] as const;

type Row = Omit<Realm, 'url'>;
const typed = <R extends { group_settings: Record<string, unknown> }>(row: R) => ({
  ...row,
  group_settings: row.group_settings as Record<RealmGroupSetting, UserGroupId>,
});

export async function bySubdomain(db: Db, subdomain: string): Promise<Row | undefined> {
  const row = await db
    .selectFrom('realm')
    .select(columns)
    .where('subdomain', '=', subdomain)
    .executeTakeFirst();
  return row && typed(row);
}

export async function byId(db: Db, id: number): Promise<Row> {
  const row = await db
    .selectFrom('realm')
    .select(columns)
    .where('id', '=', id as RealmId)
    .executeTakeFirstOrThrow();
  return typed(row);
}

/** Every realm with what proves its ownership to the bouncer. */
export const withOwnerSecrets = (db: Db) =>
  db
    .selectFrom('realm')
    .select([...columns, 'uuid_owner_secret'])
    .orderBy('id')
    .execute();

export async function insert(
  tx: Tx,
  realm: { subdomain: string; name: string; description: string; uuid_owner_secret: string },
): Promise<RealmId> {
  const { id } = await tx
    .insertInto('realm')
    .values(realm)
    .returning('id')
    .executeTakeFirstOrThrow();
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

/** What the bouncer last said of a realm; returns whether that changed anything. */
export async function setPushStatus(
  tx: Tx,
  id: RealmId,
  { can_push, end }: { can_push: boolean; end: number | null },
): Promise<boolean> {
  const changed = await tx
    .updateTable('realm')
    .set({ push_enabled: can_push, push_end_timestamp: end })
    .where('id', '=', id)
    .where((eb) =>
      eb.or([
        eb('push_enabled', '!=', can_push),
        eb('push_end_timestamp', 'is distinct from', end),
      ]),
    )
    .executeTakeFirst();
  return changed.numUpdatedRows > 0n;
}

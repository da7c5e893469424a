import {
  badRequest,
  type RealmId,
  type UserGroupId,
  type userGroupSettings,
  type UserId,
} from '@bellhop/protocol';
import { type Selectable, sql } from 'kysely';

import type { Db, Tx } from '../../engine/call.ts';
import type { Tables } from '../../engine/tables.ts';

export type GroupSettingName = (typeof userGroupSettings)[number];
export interface GroupRow extends Selectable<Tables['user_group']> {
  readonly name: string;
}

/** A named group. Throws BAD_REQUEST if the realm has none with this id. */
export async function groupRow(db: Db, realm: RealmId, id: UserGroupId): Promise<GroupRow> {
  const row = await db
    .selectFrom('user_group')
    .selectAll()
    .where('realm_id', '=', realm)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row || row.name === null) throw badRequest('Invalid user group');
  return { ...row, name: row.name };
}

type NewGroup = Pick<
  GroupRow,
  'realm_id' | 'name' | 'description' | 'creator_id' | 'date_created'
> &
  Readonly<Record<GroupSettingName, UserGroupId>>;

/** Undefined if the name is taken. */
export async function insert(tx: Tx, group: NewGroup): Promise<UserGroupId | undefined> {
  const row = await tx
    .insertInto('user_group')
    .values(group)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

type GroupChanges = Partial<
  Pick<GroupRow, 'name' | 'description' | 'deactivated'> & Record<GroupSettingName, UserGroupId>
>;

export async function update(
  tx: Tx,
  { realm_id, id }: Pick<GroupRow, 'realm_id' | 'id'>,
  changes: GroupChanges,
): Promise<void> {
  await tx
    .updateTable('user_group')
    .set(changes)
    .where('realm_id', '=', realm_id)
    .where('id', '=', id)
    .execute();
}

export async function isNameTaken(db: Db, realm: RealmId, name: string): Promise<boolean> {
  const row = await db
    .selectFrom('user_group')
    .select('id')
    .where('realm_id', '=', realm)
    .where(sql<boolean>`lower(name) = lower(${name})`)
    .executeTakeFirst();
  return row !== undefined;
}

/** The deactivated groups among these. */
export async function deactivatedAmong(
  db: Db,
  realm: RealmId,
  ids: readonly UserGroupId[],
): Promise<Set<UserGroupId>> {
  const rows = await db
    .selectFrom('user_group')
    .select('id')
    .where('realm_id', '=', realm)
    .where(sql<boolean>`id = any(${ids}::bigint[])`)
    .where('deactivated', '=', true)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** The users and groups that are directly in a group, deactivated users included. */
export async function contentOf(
  db: Db,
  { realm_id, id }: Pick<GroupRow, 'realm_id' | 'id'>,
): Promise<{ readonly members: UserId[]; readonly subgroups: UserGroupId[] }> {
  const members = await db
    .selectFrom('user_group_member')
    .select('user_id')
    .where('realm_id', '=', realm_id)
    .where('group_id', '=', id)
    .execute();
  const subgroups = await db
    .selectFrom('user_group_subgroup')
    .select('subgroup_id')
    .where('realm_id', '=', realm_id)
    .where('group_id', '=', id)
    .execute();
  return {
    members: members.map(({ user_id }) => user_id),
    subgroups: subgroups.map(({ subgroup_id }) => subgroup_id),
  };
}

interface Content {
  readonly users: readonly UserId[];
  readonly groups: readonly UserGroupId[];
}

export async function addContent(
  tx: Tx,
  { realm_id, id: group_id }: Pick<GroupRow, 'realm_id' | 'id'>,
  { users, groups }: Content,
): Promise<void> {
  if (users.length > 0)
    await tx
      .insertInto('user_group_member')
      .values(users.map((user_id) => ({ realm_id, group_id, user_id })))
      .execute();
  if (groups.length > 0)
    await tx
      .insertInto('user_group_subgroup')
      .values(groups.map((subgroup_id) => ({ realm_id, group_id, subgroup_id })))
      .execute();
}

export async function removeContent(
  tx: Tx,
  { realm_id, id }: Pick<GroupRow, 'realm_id' | 'id'>,
  { users, groups }: Content,
): Promise<void> {
  await tx
    .deleteFrom('user_group_member')
    .where('realm_id', '=', realm_id)
    .where('group_id', '=', id)
    .where(sql<boolean>`user_id = any(${users}::bigint[])`)
    .execute();
  await tx
    .deleteFrom('user_group_subgroup')
    .where('realm_id', '=', realm_id)
    .where('group_id', '=', id)
    .where(sql<boolean>`subgroup_id = any(${groups}::bigint[])`)
    .execute();
}

/** These groups and all groups inside them. */
export async function withSubgroups(
  db: Db,
  realm: RealmId,
  ids: readonly UserGroupId[],
): Promise<UserGroupId[]> {
  const { rows } = await sql<{ id: UserGroupId }>`
    with recursive nested (id) as (
      select unnest(${ids}::bigint[])
      union
      select s.subgroup_id from user_group_subgroup s join nested n on s.group_id = n.id
      where s.realm_id = ${realm}
    )
    select id from nested order by id`.execute(db);
  return rows.map(({ id }) => id);
}

/** A group and all groups that contain it, anonymous ones included. */
export async function withSupergroups(
  db: Db,
  { realm_id, id }: Pick<GroupRow, 'realm_id' | 'id'>,
): Promise<UserGroupId[]> {
  const { rows } = await sql<{ id: UserGroupId }>`
    with recursive containing (id) as (
      select ${id}::bigint
      union
      select s.group_id from user_group_subgroup s join containing c on s.subgroup_id = c.id
      where s.realm_id = ${realm_id}
    )
    select id from containing`.execute(db);
  return rows.map((row) => row.id);
}

/** The groups in which a group is directly, anonymous ones included. */
export const supergroups = (db: Db, { realm_id, id }: Pick<GroupRow, 'realm_id' | 'id'>) =>
  db
    .selectFrom('user_group_subgroup as s')
    .innerJoin('user_group as g', (join) =>
      join.onRef('g.realm_id', '=', 's.realm_id').onRef('g.id', '=', 's.group_id'),
    )
    .select(['g.id', 'g.name'])
    .where('s.realm_id', '=', realm_id)
    .where('s.subgroup_id', '=', id)
    .orderBy('g.id')
    .execute();

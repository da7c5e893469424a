import { lowerAll } from '@bellhop/postgres';
import {
  type GroupSetting,
  type RealmId,
  type SystemGroup,
  type UserGroupId,
  type UserId,
  userGroupSettings,
} from '@bellhop/protocol';
import { type Insertable, type RawBuilder, sql, type Generated } from 'kysely';

import type { Db, Tx } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';
import type { Tables } from '../../engine/tables.ts';
import { groupIncludesRole, groupsWithUser, isPastWaitingPeriod } from './membership.ts';

declare module '../../engine/tables.ts' {
  interface Tables {
    user_group: {
      id: Generated<UserGroupId>;
      realm_id: RealmId;
      name: string | null;
      description: Generated<string>;
      is_system_group: Generated<boolean>;
      role_limit: number | null;
      full_members_only: Generated<boolean>;
      deactivated: Generated<boolean>;
      creator_id: UserId | null;
      date_created: Date | null;
      can_add_members_group: UserGroupId | null;
      can_join_group: UserGroupId | null;
      can_leave_group: UserGroupId | null;
      can_manage_group: UserGroupId | null;
      can_mention_group: UserGroupId | null;
      can_remove_members_group: UserGroupId | null;
    };
    user_group_member: { realm_id: RealmId; group_id: UserGroupId; user_id: UserId };
    user_group_subgroup: { realm_id: RealmId; group_id: UserGroupId; subgroup_id: UserGroupId };
  }
}

type Row = Insertable<Tables['user_group']>;

export async function insertSystemGroup(
  tx: Tx,
  row: Pick<Row, 'realm_id' | 'name' | 'description' | 'role_limit' | 'full_members_only'>,
): Promise<UserGroupId> {
  const { id } = await tx
    .insertInto('user_group')
    .values({ ...row, is_system_group: true })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Sets every permission of the system groups to `role:nobody`. */
export async function forbidChanges(tx: Tx, realm: RealmId, nobody: UserGroupId): Promise<void> {
  const settings = Object.fromEntries(userGroupSettings.map((name) => [name, nobody]));
  await tx.updateTable('user_group').set(settings).where('realm_id', '=', realm).execute();
}

export async function addSubgroup(
  tx: Tx,
  realm_id: RealmId,
  group_id: UserGroupId,
  subgroup_id: UserGroupId,
): Promise<void> {
  await tx.insertInto('user_group_subgroup').values({ realm_id, group_id, subgroup_id }).execute();
}

export async function systemGroupIds(
  db: Db,
  realm: RealmId,
): Promise<Record<SystemGroup, UserGroupId>> {
  const rows = await db
    .selectFrom('user_group')
    .select(['id', 'name'])
    .where('realm_id', '=', realm)
    .where('is_system_group', '=', true)
    .execute();
  return Object.fromEntries(rows.map(({ id, name }) => [name, id])) as Record<
    SystemGroup,
    UserGroupId
  >;
}

/** Named groups, or those among `ids`, with their direct members and subgroups. */
export async function named(db: Db, realm: RealmId, ids?: readonly UserGroupId[]) {
  return db
    .selectFrom('user_group as g')
    .selectAll('g')
    .select([
      sql<UserId[]>`array(select m.user_id from user_group_member m
        join realm_user u on u.realm_id = m.realm_id and u.id = m.user_id
        where m.realm_id = ${realm} and m.group_id = g.id and u.is_active order by m.user_id)`.as(
        'member_ids',
      ),
      sql<UserId[]>`array(select u.id from realm_user u join realm r on r.id = u.realm_id
        where u.realm_id = ${realm} and u.is_active
        and not u.is_system_bot and g.is_system_group and u.role = g.role_limit
        and ${groupIncludesRole('g', 'u', 'r')} order by u.id)`.as('role_ids'),
      sql<UserGroupId[]>`array(select s.subgroup_id from user_group_subgroup s
        where s.realm_id = ${realm} and s.group_id = g.id order by s.subgroup_id)`.as(
        'subgroup_ids',
      ),
    ])
    .where('g.realm_id', '=', realm)
    .where('g.name', 'is not', null)
    .$if(ids !== undefined, (query) => query.where(sql<boolean>`g.id = any(${ids}::bigint[])`))
    .orderBy('g.id')
    .execute();
}

/** Groups by name, in any letter case. */
export const byNames = (db: Db, realm: RealmId, names: readonly string[]) =>
  db
    .selectFrom('user_group')
    .select(['id', 'name', 'can_mention_group', 'deactivated'])
    .where('realm_id', '=', realm)
    .where(sql<boolean>`lower(name) = any(${lowerAll(names)})`)
    .execute();

/**
 * The active groups of the realm among these ids: possible values of a setting. They cannot be
 * deactivated before the commit.
 */
export const usable = (tx: Tx, realm: RealmId, ids: readonly number[]) =>
  tx
    .selectFrom('user_group')
    .select(['id', 'name', 'is_system_group'])
    .where('realm_id', '=', realm)
    .where('deactivated', '=', false)
    .where(sql<boolean>`id = any(${ids}::bigint[])`)
    .orderBy('id')
    .forShare()
    .execute();

/** Inserts an anonymous group: the value of one permission setting. */
export async function insertAnonymous(
  tx: Tx,
  realm_id: RealmId,
  { direct_members, direct_subgroups }: Exclude<GroupSetting, number>,
): Promise<UserGroupId> {
  const { id } = await tx
    .insertInto('user_group')
    .values({ realm_id })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (const user_id of new Set(direct_members))
    await tx.insertInto('user_group_member').values({ realm_id, group_id: id, user_id }).execute();
  for (const subgroup_id of new Set(direct_subgroups))
    await addSubgroup(tx, realm_id, id, subgroup_id);
  return id;
}

/** Deletes the anonymous groups among these: former values of settings. */
export async function deleteAnonymous(
  tx: Tx,
  realm: RealmId,
  ids: readonly UserGroupId[],
): Promise<void> {
  await tx
    .deleteFrom('user_group')
    .where('realm_id', '=', realm)
    .where('name', 'is', null)
    .where(sql<boolean>`id = any(${ids}::bigint[])`)
    .execute();
}

/** The anonymous groups that list a user: values of permission settings. */
export async function anonymousGroupsOf(
  db: Db,
  { id, realm_id }: Pick<User, 'id' | 'realm_id'>,
): Promise<UserGroupId[]> {
  const rows = await db
    .selectFrom('user_group_member as m')
    .innerJoin('user_group as g', (join) =>
      join.onRef('g.realm_id', '=', 'm.realm_id').onRef('g.id', '=', 'm.group_id'),
    )
    .select('g.id')
    .where('m.realm_id', '=', realm_id)
    .where('m.user_id', '=', id)
    .where('g.name', 'is', null)
    .orderBy('g.id')
    .execute();
  return rows.map((group) => group.id);
}

/**
 * Group settings as the API shows them: the id of a named group, the content of an anonymous one
 * without deactivated users (feature level 303).
 */
export async function settingValues(
  db: Db,
  realm: RealmId,
  ids: readonly UserGroupId[],
): Promise<Map<UserGroupId, GroupSetting>> {
  const rows = await db
    .selectFrom('user_group as g')
    .select([
      'g.id',
      'g.name',
      sql<UserId[]>`array(select m.user_id from user_group_member m
        join realm_user u on u.realm_id = m.realm_id and u.id = m.user_id
        where m.realm_id = ${realm} and m.group_id = g.id and u.is_active
        order by m.user_id)`.as('members'),
      sql<UserGroupId[]>`array(select s.subgroup_id from user_group_subgroup s
        where s.realm_id = ${realm} and s.group_id = g.id order by s.subgroup_id)`.as('subgroups'),
    ])
    .where('g.realm_id', '=', realm)
    .where(sql<boolean>`g.id = any(${[...new Set(ids)]}::bigint[])`)
    .execute();
  return new Map(
    rows.map(({ id, name, members, subgroups }) => [
      id,
      name === null ? { direct_members: members, direct_subgroups: subgroups } : id,
    ]),
  );
}

/**
 * The active users who belong to pairs of `nested (group_id, id)`, the groups with all their subgroups,
 * for a WITH RECURSIVE clause. `groupHasUser` for each user and group takes minutes.
 */
const membersOfNested = (realm: RealmId, nested: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  nested (group_id, id) as (
    ${nested}
    union
    select n.group_id, s.subgroup_id from user_group_subgroup s
    join nested n on s.realm_id = ${realm} and s.group_id = n.id
  ), member as (
    select n.group_id, m.user_id from nested n
    join user_group_member m on m.realm_id = ${realm} and m.group_id = n.id
    join realm_user u on u.realm_id = m.realm_id and u.id = m.user_id
    where u.is_active and not u.is_system_bot
    union
    select n.group_id, u.id from nested n
    join user_group g on g.realm_id = ${realm} and g.id = n.id and g.is_system_group
    join realm r on r.id = g.realm_id
    join realm_user u on u.realm_id = g.realm_id and ${groupIncludesRole('g', 'u', 'r')}
    where u.is_active and not u.is_system_bot
  )`;

/** The active users who belong to one of these groups, directly or through a subgroup. */
export async function membersOf(
  db: Db,
  realm: RealmId,
  ids: readonly UserGroupId[],
): Promise<UserId[]> {
  const nested = sql`select 0::bigint, unnest(${ids}::bigint[])`;
  const { rows } = await sql<{ user_id: UserId }>`with recursive ${membersOfNested(realm, nested)}
    select distinct user_id from member order by user_id`.execute(db);
  return rows.map(({ user_id }) => user_id);
}

/** For each active user in one of these groups, the smallest of those that they belong to. */
export async function smallestGroups(
  db: Db,
  realm: RealmId,
  ids: readonly UserGroupId[],
): Promise<Map<UserId, UserGroupId>> {
  const nested = sql`select id, id from unnest(${ids}::bigint[]) g (id)`;
  const { rows } = await sql<{ user_id: UserId; group_id: UserGroupId }>`
    with recursive ${membersOfNested(realm, nested)}
    select distinct on (user_id) user_id, group_id
    from (select *, count(*) over (partition by group_id) as size from member) m
    order by user_id, size, group_id`.execute(db);
  return new Map(rows.map(({ user_id, group_id }) => [user_id, group_id]));
}

/** Every group that contains a user: as a direct member, by role, or through a subgroup. */
export async function groupsOf(
  db: Db,
  { id, realm_id }: Pick<User, 'id' | 'realm_id'>,
): Promise<Set<UserGroupId>> {
  const { rows } = await sql<{ id: UserGroupId }>`${groupsWithUser(realm_id, id)}`.execute(db);
  return new Set(rows.map((row) => row.id));
}

/**
 * The system groups whose members in the API include a user: those of exactly their role. A member
 * is in `role:fullmembers` only after the waiting period.
 */
export async function directSystemGroups(
  db: Db,
  { id, realm_id }: Pick<User, 'id' | 'realm_id'>,
): Promise<UserGroupId[]> {
  const { rows } = await sql<{ id: UserGroupId }>`
    select g.id from user_group g join realm_user u on u.realm_id = g.realm_id
    join realm r on r.id = g.realm_id
    where g.realm_id = ${realm_id} and u.id = ${id} and g.is_system_group
      and g.role_limit = u.role and ${groupIncludesRole('g', 'u', 'r')}
    order by g.id`.execute(db);
  return rows.map((group) => group.id);
}

/** The members who have passed the waiting period: the members of `role:fullmembers` in the API. */
export async function fullMembers(db: Db, realm: RealmId): Promise<UserId[]> {
  const { rows } = await sql<{ id: UserId }>`
    select u.id from realm_user u join realm r on r.id = u.realm_id
    where r.id = ${realm} and u.role = 400 and u.is_active and not u.is_system_bot
      and ${isPastWaitingPeriod('u', 'r')}
    order by u.id`.execute(db);
  return rows.map(({ id }) => id);
}

/** The members whose waiting period ended after a time. */
export async function fullMembersSince(db: Db, realm: RealmId, since: Date): Promise<UserId[]> {
  const { rows } = await sql<{ id: UserId }>`
    select u.id from realm_user u join realm r on r.id = u.realm_id
    where r.id = ${realm} and u.role = 400 and u.is_active and not u.is_system_bot
      and ${isPastWaitingPeriod('u', 'r')}
      and u.date_joined > ${since}::timestamptz - r.waiting_period_days * interval '1 day'
    order by u.id`.execute(db);
  return rows.map(({ id }) => id);
}

/** The groups that the API shows a user as a direct member of. */
export async function directGroups(db: Db, user: User): Promise<UserGroupId[]> {
  const named = await db
    .selectFrom('user_group_member as m')
    .innerJoin('user_group as g', (join) =>
      join.onRef('g.realm_id', '=', 'm.realm_id').onRef('g.id', '=', 'm.group_id'),
    )
    .select('g.id')
    .where('m.realm_id', '=', user.realm_id)
    .where('m.user_id', '=', user.id)
    .where('g.name', 'is not', null)
    .orderBy('g.id')
    .execute();
  const system = await directSystemGroups(db, user);
  return [...system, ...named.map(({ id }) => id)];
}

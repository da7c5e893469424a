import type { RealmId } from '@bellhop/protocol';
import { type RawBuilder, sql } from 'kysely';

/**
 * Who belongs to a group, as parts of statements: a rule stands once, and a statement with it reads tables of
 * the given realm only (docs/decisions/0126). Names are those of the rows in the statement around.
 */

/** A part of a statement: a column, or a value that is not known when the statement is written. */
export type Operand = RawBuilder<unknown> | number;

/**
 * Whether the waiting period of a member is over, to the moment. Higher roles have none. now() is when a
 * transaction began: one that began before a user joined and waited for their creation would see them as no
 * full member, in realms without a waiting period too.
 */
export function isPastWaitingPeriod(user: string, realm: string): RawBuilder<boolean> {
  const [u, r] = [sql.id(user), sql.id(realm)];
  return sql`(${u}.role < 400 or ${r}.waiting_period_days = 0
    or ${u}.date_joined <= now() - ${r}.waiting_period_days * interval '1 day')`;
}

/** Whether a system group includes users of a role; isFullMember: their waiting period is over. */
export function groupIncludes(
  group: string,
  user: { readonly role: RawBuilder<unknown>; readonly isFullMember: RawBuilder<unknown> },
): RawBuilder<boolean> {
  const g = sql.id(group);
  return sql`(${g}.role_limit >= ${user.role}
    and (not ${g}.full_members_only or ${user.isFullMember}))`;
}

/** Whether a user belongs to a system group by role. */
export const groupIncludesRole = (
  group: string,
  user: string,
  realm: string,
): RawBuilder<boolean> =>
  groupIncludes(group, {
    role: sql`${sql.id(user)}.role`,
    isFullMember: isPastWaitingPeriod(user, realm),
  });

/**
 * Whether one of `users`, an ID or a query for some, belongs to a group: as a direct member, by role, or through a subgroup.
 * Deactivated users belong to none. Takes longer than a condition on a role: ask that first.
 */
export const groupHasUser = (realm: RealmId, group: Operand, users: Operand): RawBuilder<boolean> =>
  sql`exists (
    with recursive inside (id) as (
      select ${group}::bigint
      union
      select s.subgroup_id from user_group_subgroup s join inside i on s.group_id = i.id
      where s.realm_id = ${realm}
    )
    select from inside i
    join realm_user who on who.realm_id = ${realm} and who.is_active
      and who.id in (${users})
    where exists (
      select from user_group g2 join realm r2 on r2.id = ${realm}
      where g2.realm_id = ${realm} and g2.id = i.id and ${groupIncludesRole('g2', 'who', 'r2')}
    ) or exists (
      select from user_group_member m
      where m.realm_id = ${realm} and m.group_id = i.id and m.user_id = who.id
    ))`;

/**
 * A query for every group that contains a user, as `id`. For active users these are the groups for which
 * groupHasUser is true.
 */
export const groupsWithUser = (realm: RealmId, user: Operand): RawBuilder<unknown> => sql`
  with recursive belongs (id) as (
    (
      select m.group_id from user_group_member m
      where m.realm_id = ${realm} and m.user_id = ${user}
      union
      select g2.id from user_group g2
      join realm_user who on who.realm_id = ${realm} and who.id = ${user}
      join realm r2 on r2.id = ${realm}
      where g2.realm_id = ${realm} and ${groupIncludesRole('g2', 'who', 'r2')}
    )
    union
    select s.group_id from user_group_subgroup s
    join belongs b on s.subgroup_id = b.id
    where s.realm_id = ${realm}
  )
  select id from belongs`;

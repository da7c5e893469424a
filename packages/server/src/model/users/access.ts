import { type RecipientId, type Role, roles, type UserId } from '@bellhop/protocol';
import { type RawBuilder, sql } from 'kysely';

import { everyoneWithRole } from '../../engine/audience.ts';
import type { Db } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import { isSpectator } from '../../engine/spectator.ts';
import * as queries from './queries.ts';

/**
 * The only place that decides which users may see which others. Members see all users, and so does
 * everybody in a realm whose `can_access_all_users_group` is everyone. Other guests see bots,
 * themselves, their own owner, and users of shared channels and direct conversations; spectators
 * then see bots. The API treats a user whom the viewer may not see like one who does not exist.
 */
export interface UserView {
  readonly realm: Pick<Realm, 'id' | 'guests_see_all_users'>;
  readonly viewer: User;
}

const seesAllUsers = ({ realm, viewer }: UserView): boolean =>
  realm.guests_see_all_users || viewer.role < roles.guest;

/**
 * Whether a guest knows a user: a condition on two rows of realm_user, given by their aliases.
 * Conversations among `ignored` do not count.
 */
const isKnown = (
  { guest, other }: { readonly guest: 'guest'; readonly other: 'other' },
  ignored: readonly RecipientId[] = [],
): RawBuilder<boolean> => {
  const [g, o] = [sql.ref(guest), sql.ref(other)];
  const counts = ignored.length === 0 ? sql`` : sql`and talk.id <> all(${ignored}::bigint[])`;
  return sql`(${o}.is_bot or ${o}.id = ${g}.id or ${o}.id = ${g}.bot_owner_id is true
    or exists (select from subscription mine
      join subscription theirs on theirs.realm_id = mine.realm_id
        and theirs.channel_id = mine.channel_id and theirs.is_active
      where mine.realm_id = ${g}.realm_id and mine.user_id = ${g}.id and mine.is_active
        and theirs.user_id = ${o}.id)
    or exists (select from recipient talk
      where talk.realm_id = ${g}.realm_id and talk.user_ids @> array[${g}.id, ${o}.id]
        ${counts}))`;
};

/** The users among these whom the viewer may see, in the same order. */
export async function visibleAmong(
  db: Db,
  view: UserView,
  users: readonly User[],
): Promise<readonly User[]> {
  const { realm, viewer } = view;
  if (seesAllUsers(view) || users.length === 0) return users;
  if (isSpectator(viewer)) return users.filter(({ is_bot }) => is_bot);
  const ids = users.map(({ id }) => id);
  const hidden = await hiddenFrom(db, realm, { viewers: [viewer.id], users: ids });
  return users.filter(({ id }) => !hidden.get(viewer.id)?.has(id));
}

/** The users with these ids whom the viewer may see, ordered by id. */
export const visibleByIds = async (
  db: Db,
  view: UserView,
  ids: readonly number[],
): Promise<readonly User[]> => visibleAmong(db, view, await queries.byIds(db, view.realm.id, ids));

/** All users of the realm but system bots: those whom the viewer may see, and the others. */
export async function visibleUsers(
  db: Db,
  view: UserView,
): Promise<{ seen: readonly User[]; hidden: readonly User[] }> {
  const all = (await queries.all(db, view.realm.id)).filter(({ is_system_bot }) => !is_system_bot);
  const seen = await visibleAmong(db, view, all);
  if (seen.length === all.length) return { seen, hidden: [] };
  const ids = new Set(seen.map(({ id }) => id));
  return { seen, hidden: all.filter(({ id }) => !ids.has(id)) };
}

/** Audiences of an event about a user, by the role of those who get it. */
export type AudienceByRole = ReadonlyMap<Role, readonly number[]>;

interface Viewers {
  /** The active users who may see the user. */
  readonly seeing: AudienceByRole;
  /** The active guests who may not. */
  readonly strangers: readonly UserId[];
}

/** Who may see a user: everybody, or only some of the guests. */
export async function viewersOfUser(
  db: Db,
  realm: UserView['realm'],
  user: Pick<User, 'id'>,
): Promise<Viewers> {
  const everybody = Object.values(roles).map((role) => [role, [everyoneWithRole(role)]] as const);
  if (realm.guests_see_all_users) return { seeing: new Map(everybody), strangers: [] };
  const { rows } = await sql<{ id: UserId; knows: boolean }>`
    select guest.id, ${isKnown({ guest: 'guest', other: 'other' })} as knows
    from realm_user guest join realm_user other on other.realm_id = guest.realm_id
    where guest.realm_id = ${realm.id} and guest.role >= ${roles.guest}
      and guest.is_active and not guest.is_system_bot and other.id = ${user.id}
    order by guest.id`.execute(db);
  const idsOf = (knows: boolean) => rows.filter((row) => row.knows === knows).map(({ id }) => id);
  return {
    seeing: new Map<Role, readonly number[]>([...everybody, [roles.guest, idsOf(true)]]),
    strangers: idsOf(false),
  };
}

/** The audience of an event for all who may see a user. */
export const audienceAbout = async (
  db: Db,
  realm: UserView['realm'],
  user: Pick<User, 'id'>,
): Promise<readonly number[]> => [...(await viewersOfUser(db, realm, user)).seeing.values()].flat();

interface Pairs {
  readonly viewers: readonly UserId[];
  readonly users: readonly UserId[];
  /** Conversations that do not count: those that a change has just created. */
  readonly ignored?: readonly RecipientId[];
}
/** The users hidden from each viewer; viewers who see all of them are left out. */
export type HiddenUsers = ReadonlyMap<UserId, ReadonlySet<UserId>>;

/** Which of these users each of these viewers may not see. No query in a realm that hides nobody. */
export const hiddenFrom = async (
  db: Db,
  realm: UserView['realm'],
  { viewers, ...pairs }: Pairs,
): Promise<HiddenUsers> =>
  viewers.length === 0
    ? new Map()
    : hidden(db, realm, { ...pairs, guests: sql`guest.id = any(${viewers}::bigint[])` });

/** Which of these users each active guest may not see. No query in a realm that hides nobody. */
export const hiddenFromGuests = (
  db: Db,
  realm: UserView['realm'],
  users: readonly UserId[],
): Promise<HiddenUsers> => hidden(db, realm, { users, guests: sql`guest.is_active` });

async function hidden(
  db: Db,
  realm: UserView['realm'],
  { guests, users, ignored }: Omit<Pairs, 'viewers'> & { readonly guests: RawBuilder<unknown> },
): Promise<HiddenUsers> {
  if (realm.guests_see_all_users || users.length === 0) return new Map();
  const { rows } = await sql<{ id: UserId; hidden: UserId[] }>`
    select guest.id, array_agg(other.id) as hidden
    from realm_user guest join realm_user other on other.realm_id = guest.realm_id
    where guest.realm_id = ${realm.id} and ${guests}
      and guest.role >= ${roles.guest} and other.id = any(${users}::bigint[])
      and not ${isKnown({ guest: 'guest', other: 'other' }, ignored)}
    group by guest.id`.execute(db);
  return new Map(rows.map(({ id, hidden: ids }) => [id, new Set(ids)]));
}

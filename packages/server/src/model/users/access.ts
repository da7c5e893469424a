import { type RealmId, type RecipientId, roles, type UserId } from '@bellhop/protocol';
import { type RawBuilder, sql } from 'kysely';

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
  realm: RealmId,
  { guest, other }: { readonly guest: 'guest'; readonly other: 'other' },
  ignored: readonly RecipientId[] = [],
): RawBuilder<boolean> => {
  const [g, o] = [sql.ref(guest), sql.ref(other)];
  const counts = ignored.length === 0 ? sql`` : sql`and talk.id <> all(${ignored}::bigint[])`;
  return sql`(${o}.is_bot or ${o}.id = ${g}.id or ${o}.id = ${g}.bot_owner_id is true
    or exists (select from subscription mine
      join subscription theirs on theirs.realm_id = mine.realm_id
        and theirs.channel_id = mine.channel_id and theirs.is_active
      where mine.realm_id = ${realm} and mine.user_id = ${g}.id and mine.is_active
        and theirs.user_id = ${o}.id)
    or exists (select from recipient talk
      where talk.realm_id = ${realm} and talk.user_ids @> array[${g}.id, ${o}.id]
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

interface Pairs {
  readonly viewers: readonly UserId[];
  readonly users: readonly UserId[];
  /** Conversations that do not count: those that a change has just created. */
  readonly ignored?: readonly RecipientId[];
}
/** The users hidden from each viewer; viewers who see all of them are left out. */
export type HiddenUsers = ReadonlyMap<UserId, ReadonlySet<UserId>>;

/** Which of these users each of these viewers may not see. No query in a realm that hides nobody. */
export async function hiddenFrom(
  db: Db,
  realm: UserView['realm'],
  { viewers, users, ignored }: Pairs,
): Promise<HiddenUsers> {
  if (realm.guests_see_all_users || viewers.length === 0 || users.length === 0) return new Map();
  const { rows } = await sql<{ id: UserId; hidden: UserId[] }>`
    select guest.id, array_agg(other.id) as hidden
    from realm_user guest join realm_user other on other.realm_id = guest.realm_id
    where guest.realm_id = ${realm.id} and guest.id = any(${viewers}::bigint[])
      and guest.role >= ${roles.guest} and other.id = any(${users}::bigint[])
      and not ${isKnown(realm.id, { guest: 'guest', other: 'other' }, ignored)}
    group by guest.id`.execute(db);
  return new Map(rows.map(({ id, hidden: ids }) => [id, new Set(ids)]));
}

/** The users whom a guest asks about. */
export interface Acquaintance {
  readonly guest: Pick<User, 'id' | 'realm_id'>;
  readonly users: readonly UserId[];
}

/** A large group has many members, and an event about it goes to many guests at a time. */
const MAX_PAIRS = 10_000;

/**
 * Which of these users each of these guests knows now, in the order of the guests: for guests of several
 * realms, whatever the settings of the realms. Few statements for the guests of one realm.
 */
export async function knownTo(
  db: Db,
  asked: readonly Acquaintance[],
): Promise<ReadonlySet<UserId>[]> {
  const known = asked.map(() => new Set<UserId>());
  let pairs: Pair[] = [];
  const look = async () => {
    for (const [realm, own] of Map.groupBy(pairs, (pair) => pair.realm))
      for (const { at, user } of await knownPairs(db, realm, own)) known[at]?.add(user);
    pairs = [];
  };
  for (const [at, { guest, users }] of asked.entries())
    for (const user of users) {
      pairs.push({ at, realm: guest.realm_id, guest: guest.id, user });
      if (pairs.length === MAX_PAIRS) await look();
    }
  if (pairs.length > 0) await look();
  return known;
}

interface Pair {
  readonly at: number;
  readonly realm: RealmId;
  readonly guest: UserId;
  readonly user: UserId;
}

async function knownPairs(
  db: Db,
  realm: RealmId,
  pairs: readonly Pair[],
): Promise<readonly Pick<Pair, 'at' | 'user'>[]> {
  const { rows } = await sql<Pick<Pair, 'at' | 'user'>>`
    select pair.at::integer as at, other.id as user
    from unnest(${pairs.map(({ at }) => at)}::bigint[],
      ${pairs.map(({ guest }) => guest)}::bigint[], ${pairs.map(({ user }) => user)}::bigint[])
      pair (at, guest_id, user_id)
    join realm_user guest on guest.realm_id = ${realm} and guest.id = pair.guest_id
    join realm_user other on other.realm_id = ${realm} and other.id = pair.user_id
    where ${isKnown(realm, { guest: 'guest', other: 'other' })}`.execute(db);
  return rows;
}

import { type RecipientId, shownStatus, type UserId } from '@bellhop/protocol';

import type { Change, Db } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import { profiles } from '../../model/custom-profile-fields/queries.ts';
import { deactivatedAmong } from '../../model/user-groups/group-rows.ts';
import { directGroups } from '../../model/user-groups/queries.ts';
import * as userStatus from '../../model/user-status/queries.ts';
import { type HiddenUsers, hiddenFrom } from '../../model/users/access.ts';
import * as queries from '../../model/users/queries.ts';
import { ANY_GUEST, UNKNOWN_NAME, unknownRecord } from '../../model/users/unknown-user.ts';
import { userRecord } from '../../model/users/user-record.ts';
import { emitKnownPresence } from '../presence/emit-known-presence.ts';

/** The types of events for guests about users whom they no longer see. */
export type LostSightEvent = 'realm_user' | 'user_group';
/**
 * The types of events for guests about users whom they now see: users with groups, presence and
 * status.
 */
export type SightEvent = LostSightEvent | 'presence' | 'user_status';
type SightChange = Pick<Change<SightEvent>, 'db' | 'emit'>;
/** Emits what users do: new ones have neither presence nor status. */
export type ActivityChange = Pick<Change<'presence' | 'user_status'>, 'db' | 'emit'>;
export type SightRealm = Pick<Realm, 'id' | 'url' | 'settings' | 'guests_see_all_users'>;
interface SightContext {
  readonly realm: SightRealm;
  /** UNIX time in seconds. */
  readonly now: number;
}
interface SeenContext extends SightContext {
  /** Null if the users are new, or seen by new users only, who have no queue yet. */
  readonly activity: ActivityChange | null;
}

interface SightDifference {
  readonly seen: HiddenUsers;
  readonly lost: HiddenUsers;
}

/**
 * To be called before subscriptions change: `users` begin or end to share a channel with `sharers`. The
 * function that it returns, called after the change, answers whom the guests among both see now, and
 * whom they no longer see.
 */
export async function watchSight(
  db: Db,
  realm: SightRealm,
  { users, sharers }: { readonly users: readonly UserId[]; readonly sharers: readonly UserId[] },
): Promise<() => Promise<SightDifference>> {
  if (realm.guests_see_all_users) return async () => ({ seen: new Map(), lost: new Map() });
  const both = [...new Set([...users, ...sharers])];
  const hidden = async () =>
    merged(
      await hiddenFrom(db, realm, { viewers: users, users: both }),
      await hiddenFrom(db, realm, { viewers: sharers, users }),
    );
  const before = await hidden();
  return async () => {
    const after = await hidden();
    return { seen: without(before, after), lost: without(after, before) };
  };
}

/** Tells the guests among the participants of new conversations whom they see now. */
export async function emitParticipants(
  change: SightChange,
  { realm, now }: SightContext,
  conversations: ReadonlyMap<RecipientId, readonly UserId[]>,
): Promise<void> {
  const ignored = [...conversations.keys()];
  for (const ids of conversations.values()) {
    const hidden = await hiddenFrom(change.db, realm, { viewers: ids, users: ids, ignored });
    await emitSeen(change, { realm, now, activity: change }, hidden);
  }
}

/** Adds an unknown user for clients without the capability `user_list_incomplete`. */
export function emitUnknown(
  { emit }: Pick<Change<'realm_user'>, 'emit'>,
  { realm, user }: { readonly realm: SightRealm; readonly user: User },
  audience: readonly UserId[],
): void {
  const person = unknownRecord(user, realm);
  emit({ type: 'realm_user', op: 'add', person, is_unknown: true }, audience);
}

/** Adds users for the guests who see them now, with their memberships in groups, presence and status. */
export async function emitSeen(
  change: Pick<Change<LostSightEvent>, 'db' | 'emit'>,
  { realm, now, activity }: SeenContext,
  seen: HiddenUsers,
): Promise<void> {
  const { db, emit } = change;
  const found = await usersOf(db, realm, seen);
  if (found.length === 0) return;
  const ids = found.map(({ user }) => user.id);
  const values = await profiles(db, realm.id, ids);
  for (const { user, audience, groups } of found) {
    const record = userRecord(user, { realm, viewer: ANY_GUEST });
    const person = user.is_bot ? record : { ...record, profile_data: values.get(user.id) ?? {} };
    emit({ type: 'realm_user', op: 'add', person }, audience);
    for (const group of groups)
      emit({ type: 'user_group', op: 'add_members', ...group, user_ids: [user.id] }, audience);
    if (activity) await emitActivity(activity, { realm, user, now }, audience);
  }
}

async function emitActivity(
  change: ActivityChange,
  { realm, user, now }: SightContext & { readonly user: User },
  audience: readonly UserId[],
): Promise<void> {
  await emitKnownPresence(change, { realm, user, now }, audience);
  const status = shownStatus((await userStatus.ofUser(change.db, realm.id, user.id)) ?? {});
  if (Object.keys(status).length > 0)
    change.emit({ type: 'user_status', user_id: user.id, ...status }, audience);
}

/** Removes users for the guests who no longer see them, and their memberships in groups. */
export async function emitHidden(
  change: Pick<Change<LostSightEvent>, 'db' | 'emit'>,
  realm: SightRealm,
  hidden: HiddenUsers,
): Promise<void> {
  const { db, emit } = change;
  for (const { user, audience, groups } of await usersOf(db, realm, hidden)) {
    const { id: user_id } = user;
    for (const group of groups)
      emit({ type: 'user_group', op: 'remove_members', ...group, user_ids: [user_id] }, audience);
    const person = { user_id, full_name: UNKNOWN_NAME };
    emit({ type: 'realm_user', op: 'remove', person }, audience);
    emitUnknown(change, { realm, user }, audience);
  }
}

/** The users of pairs, each with the guests who get the event and the groups that show the user. */
async function usersOf(db: Db, realm: SightRealm, pairs: HiddenUsers) {
  const guests = new Map<UserId, UserId[]>();
  for (const [guest, ids] of pairs)
    for (const id of ids) guests.set(id, [...(guests.get(id) ?? []), guest]);
  const users = guests.size === 0 ? [] : await queries.byIds(db, realm.id, [...guests.keys()]);
  return Promise.all(
    users.map(async (user) => ({
      user,
      audience: guests.get(user.id) ?? [],
      groups: user.is_active ? await groupsShowing(db, user) : [],
    })),
  );
}

/** The groups that show a user; clients without the capability know no deactivated ones. */
async function groupsShowing(db: Db, user: User) {
  const ids = await directGroups(db, user);
  const deactivated = await deactivatedAmong(db, user.realm_id, ids);
  return ids.map((group_id) => ({
    group_id,
    ...(deactivated.has(group_id) ? { others: null } : {}),
  }));
}

const merged = (one: HiddenUsers, other: HiddenUsers): HiddenUsers =>
  new Map(
    [...new Set([...one.keys(), ...other.keys()])].map((guest) => [
      guest,
      new Set([...(one.get(guest) ?? []), ...(other.get(guest) ?? [])]),
    ]),
  );

const without = (pairs: HiddenUsers, excluded: HiddenUsers): HiddenUsers =>
  new Map(
    [...pairs].map(([guest, ids]) => [
      guest,
      new Set([...ids].filter((id) => !excluded.get(guest)?.has(id))),
    ]),
  );

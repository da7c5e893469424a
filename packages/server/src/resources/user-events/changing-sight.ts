import { type RecipientId, shownStatus, type UserId } from '@bellhop/protocol';

import type { Change, Db } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import { profiles } from '../../model/custom-profile-fields/queries.ts';
import * as userStatus from '../../model/user-status/queries.ts';
import { type HiddenUsers, hiddenFrom } from '../../model/users/access.ts';
import * as queries from '../../model/users/queries.ts';
import { ANY_GUEST } from '../../model/users/unknown-user.ts';
import { userRecord } from '../../model/users/user-record.ts';
import { emitKnownPresence } from '../presence/record-presence.ts';
import { emitGroupEvents } from './emit-group-event.ts';
import { membership, snapshotOfUser } from './emit-user-changes.ts';

/** The types of events for guests about users whom they now see: users with groups, presence and status. */
export type SightEvent = 'realm_user' | 'user_group' | 'presence' | 'user_status';
export type SightChange = Pick<Change<SightEvent>, 'db' | 'emit'>;
export type SightRealm = Pick<Realm, 'id' | 'url' | 'settings' | 'guests_see_all_users'>;
interface SightContext {
  readonly realm: SightRealm;
  /** UNIX time in seconds. */
  readonly now: number;
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
  let seen: HiddenUsers = new Map();
  for (const ids of conversations.values())
    seen = merged(seen, await hiddenFrom(change.db, realm, { viewers: ids, users: ids, ignored }));
  // Together: who writes to a guest in two new conversations at once is added once.
  await emitSeen(change, { realm, now }, seen);
}

/**
 * Ends the queues of guests who no longer see somebody: their clients register again. Not of those who see
 * somebody new, who would lose the message that made them known.
 */
export async function endLostSight(
  change: Pick<Change, 'endQueues'>,
  lost: HiddenUsers,
): Promise<void> {
  const guests = [...lost].flatMap(([guest, ids]) => (ids.size > 0 ? [guest] : []));
  if (guests.length > 0) await change.endQueues(guests);
}

/** Adds users for the guests who see them now, with their memberships in groups, presence and status. */
export async function emitSeen(
  change: SightChange,
  { realm, now }: SightContext,
  seen: HiddenUsers,
): Promise<void> {
  const { db, emit } = change;
  const found = await usersOf(db, realm, seen);
  if (found.length === 0) return;
  const ids = found.map(({ user }) => user.id);
  const values = await profiles(db, realm.id, ids);
  for (const { user, audience } of found) {
    const record = userRecord(user, { realm, viewer: ANY_GUEST });
    const person = user.is_bot ? record : { ...record, profile_data: values.get(user.id) ?? {} };
    emit({ type: 'realm_user', op: 'add', person }, audience);
    const { groups } = await snapshotOfUser(db, user);
    await emitGroupEvents(change, realm, membership(user, 'add_members', groups), audience);
    await emitActivity(change, { realm, user, now }, audience);
  }
}

async function emitActivity(
  change: SightChange,
  { realm, user, now }: SightContext & { readonly user: User },
  audience: readonly UserId[],
): Promise<void> {
  await emitKnownPresence(change, { realm, user, now }, audience);
  const status = shownStatus((await userStatus.ofUser(change.db, realm.id, user.id)) ?? {});
  if (Object.keys(status).length > 0)
    change.emit({ type: 'user_status', user_id: user.id, ...status }, audience);
}

/** The users of pairs, each with the guests who get the event. */
async function usersOf(db: Db, realm: SightRealm, pairs: HiddenUsers) {
  const guests = new Map<UserId, UserId[]>();
  for (const [guest, ids] of pairs)
    for (const id of ids) guests.set(id, [...(guests.get(id) ?? []), guest]);
  const users = guests.size === 0 ? [] : await queries.byIds(db, realm.id, [...guests.keys()]);
  return users.map((user) => ({ user, audience: guests.get(user.id) ?? [] }));
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

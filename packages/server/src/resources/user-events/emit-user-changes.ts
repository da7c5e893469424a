import { roles, type UserGroupId } from '@bellhop/protocol';

import { EVERYBODY, everyoneWithRole } from '../../engine/audience.ts';
import type { Change, Db } from '../../engine/call.ts';
import type { Realm, User, UserInRealm } from '../../engine/caller.ts';
import { directGroups } from '../../model/user-groups/queries.ts';
import * as queries from '../../model/users/queries.ts';
import {
  anyoneWith,
  apiEmail,
  avatarFields,
  avatarUrl,
  isAvatarComputable,
  showsEmail,
} from '../../model/users/user-record.ts';
import { emitGroupEvents } from './emit-group-event.ts';

type GroupOp = 'add_members' | 'remove_members';
type UserChange = Pick<Change<'realm_user' | 'user_group'>, 'db' | 'emit'>;
interface UserSnapshot {
  readonly user: User;
  /** The groups that the API shows the user as a member of. */
  readonly groups: readonly UserGroupId[];
}

/** Every role as a viewer of others, with the audience of its users. */
export const everyRole = Object.values(roles).map((role) => ({
  viewer: anyoneWith(role),
  audience: [everyoneWithRole(role)] as readonly number[],
}));

export const snapshotOfUser = async (db: Db, user: User): Promise<UserSnapshot> => ({
  user,
  groups: user.is_active ? await directGroups(db, user) : [],
});

/** The events of a user who joins or leaves groups. */
export const membership = ({ id }: User, op: GroupOp, groups: readonly UserGroupId[]) =>
  groups.map((group_id) => ({ type: 'user_group' as const, op, group_id, user_ids: [id] }));

/**
 * Runs a change of a user's profile that leaves role and groups alone, and emits the changed
 * fields.
 */
export async function changingProfile<T>(
  change: Pick<Change<'realm_user'>, 'db' | 'emit'>,
  { realm, user }: UserInRealm,
  work: () => Promise<T>,
): Promise<T> {
  const result = await work();
  await emitProfileChanges(change, realm, user);
  return result;
}

/** Runs a change of a user and emits the changed fields. */
export async function changingUser<T>(
  change: UserChange,
  { realm, user }: UserInRealm,
  work: () => Promise<T>,
): Promise<T> {
  const before = await snapshotOfUser(change.db, user);
  const result = await work();
  await emitUserChanges(change, realm, before);
  return result;
}

/** Emits the changes of a user since an earlier snapshot, and `user_group` events for the groups. */
export async function emitUserChanges(
  change: UserChange,
  realm: Realm,
  before: UserSnapshot,
): Promise<void> {
  const { db } = change;
  const user = await emitProfileChanges(change, realm, before.user);
  const { groups } = await snapshotOfUser(db, user);
  await emitGroupEvents(change, realm, [
    ...membership(user, 'remove_members', without(before.groups, groups)),
    ...membership(user, 'add_members', without(groups, before.groups)),
  ]);
}

/**
 * Emits `realm_user` update for each property of a user that differs from an earlier snapshot, to those who
 * may see it. Returns the user as they are now.
 */
async function emitProfileChanges(
  { db, emit }: Pick<Change<'realm_user'>, 'db' | 'emit'>,
  realm: Realm,
  before: User,
): Promise<User> {
  const user = await queries.byId(db, realm.id, before.id);
  if (!user) throw new Error(`The user ${before.id} vanished`);
  const user_id = user.id;
  // An avatar is computed from an address that everyone sees.
  const is_computable = isAvatarComputable(user, realm);
  for (const change of publicChanges(realm, before, user)) {
    const person = { user_id, ...change };
    const computable = 'avatar_url' in change ? { is_computable } : {};
    emit({ type: 'realm_user', op: 'update', person, ...computable }, EVERYBODY);
  }
  for (const [delivery_email, viewers] of addressChanges(before, user)) {
    const person = { user_id, delivery_email };
    const except = viewers.some(({ viewer }) => viewer.id === user_id) ? {} : { not_for: user_id };
    const audience = viewers.flatMap((one) => one.audience);
    emit({ type: 'realm_user', op: 'update', person, ...except }, audience);
  }
  return user;
}

/** The changes that every viewer sees, one by one: clients expect one property per event. */
const publicChanges = (realm: Realm, before: User, after: User) => {
  const email = apiEmail(after, realm);
  return [
    ...(after.full_name === before.full_name ? [] : [{ full_name: after.full_name }]),
    ...(after.role === before.role ? [] : [{ role: after.role }]),
    ...(after.bot_owner_id === before.bot_owner_id ? [] : [{ bot_owner_id: after.bot_owner_id }]),
    // Before the time zone, whose event names the address.
    ...(email === apiEmail(before, realm) ? [] : [{ new_email: email }]),
    ...(after.timezone === before.timezone ? [] : [{ email, timezone: after.timezone }]),
    ...(avatarUrl(after, realm) === avatarUrl(before, realm) ? [] : [avatarFields(after, realm)]),
    ...(after.is_active === before.is_active ? [] : [{ is_active: after.is_active }]),
  ];
};

/**
 * Those whose view of the user's real address changed, by the new address: whole roles, and the user, who sees
 * it whatever their role.
 */
function addressChanges(before: User, after: User) {
  const shown = (user: User, viewer: Pick<User, 'id' | 'role'>) =>
    showsEmail(user, viewer) ? user.delivery_email : null;
  const changed = [...everyRole, { viewer: after, audience: [after.id] }].filter(
    ({ viewer }) => shown(before, viewer) !== shown(after, viewer),
  );
  return Map.groupBy(changed, ({ viewer }) => shown(after, viewer));
}

const without = <T>(list: readonly T[], excluded: readonly T[]) =>
  list.filter((item) => !excluded.includes(item));

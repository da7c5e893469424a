import type { UserGroupId, UserId } from '@bellhop/protocol';

import type { Change, Db, LockedChange } from '../../engine/call.ts';
import type { Realm } from '../../engine/caller.ts';
import { everyRealm } from '../../every-realm.ts';
import * as realms from '../../model/realms/queries.ts';
import { withSupergroups } from '../../model/user-groups/group-rows.ts';
import * as queries from '../../model/user-groups/queries.ts';
import { changingVisibility, emitSeenByFullMembers } from '../channels/changing-visibility.ts';
import { emitGroupEvent } from '../user-events/emit-group-event.ts';

type MemberEvent = 'user_group' | 'stream' | 'subscription';
type MembersChange = Change<MemberEvent>;
interface RealmAt {
  readonly realm: Realm;
  /** UNIX time in seconds. */
  readonly now: number;
}

/**
 * Emits the members who became full members by time since the last call, and the private channels that
 * they see now.
 */
async function announceFullMembers(change: MembersChange, { realm, now }: RealmAt): Promise<void> {
  const { db } = change;
  const since = await realms.noteFullMembers(db, realm.id);
  if (realm.waiting_period_days === 0) return;
  const members = await queries.fullMembersSince(db, realm.id, since);
  if (members.length === 0) return;
  await emitFullMembers(change, realm, { op: 'add_members', user_ids: members });
  const groups = await fullMemberGroups(db, realm);
  await emitSeenByFullMembers(change, { realm, now, groups, members });
}

/**
 * Runs a change of the waiting period and emits who becomes or ceases to be a full member, and the
 * private channels that they see or lose because of it.
 */
export async function changingWaitingPeriod(
  change: LockedChange<MemberEvent>,
  { realm, now }: RealmAt,
  work: () => Promise<void>,
): Promise<void> {
  const { db } = change;
  await announceFullMembers(change, { realm, now });
  const groups = await fullMemberGroups(db, realm);
  await changingVisibility(change, { realm, now, groups }, async () => {
    const before = new Set(await queries.fullMembers(db, realm.id));
    await work();
    const after = new Set(await queries.fullMembers(db, realm.id));
    const without = (ids: ReadonlySet<UserId>, excluded: ReadonlySet<UserId>) =>
      [...ids].filter((id) => !excluded.has(id));
    await emitFullMembers(change, realm, {
      op: 'remove_members',
      user_ids: without(before, after),
    });
    await emitFullMembers(change, realm, { op: 'add_members', user_ids: without(after, before) });
  });
}

/** `role:fullmembers` and the groups that contain it. */
async function fullMemberGroups(db: Db, realm: Realm): Promise<UserGroupId[]> {
  const { 'role:fullmembers': id } = await queries.systemGroupIds(db, realm.id);
  return withSupergroups(db, { realm_id: realm.id, id });
}

async function emitFullMembers(
  change: MembersChange,
  realm: Realm,
  { op, user_ids }: { readonly op: 'add_members' | 'remove_members'; readonly user_ids: UserId[] },
): Promise<void> {
  if (user_ids.length === 0) return;
  const { 'role:fullmembers': group_id } = await queries.systemGroupIds(change.db, realm.id);
  await emitGroupEvent(change, realm, { type: 'user_group', op, group_id, user_ids });
}

/** Time makes full members without a request: once an hour their clients learn it. */
export const announceFullMembersOfAll = everyRealm({
  name: 'announce_full_members',
  async run(app, id) {
    const realm = await app.realms.byId(id);
    if (realm.waiting_period_days > 0)
      await app.change(realm, (change) => announceFullMembers(change, { realm, now: app.now() }));
  },
});

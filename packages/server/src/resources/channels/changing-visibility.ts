import type { ChannelId, UserGroupId, UserId } from '@bellhop/protocol';

import type { Change, LockedChange } from '../../engine/call.ts';
import type { Realm } from '../../engine/caller.ts';
import { filterFor } from '../../model/channels/archived-channels-filter.ts';
import { channelRecords } from '../../model/channels/channel-records.ts';
import * as channelRows from '../../model/channels/channel-rows.ts';
import { subscribersOf } from '../../model/channels/subscribe/subscription-rows.ts';
import { emitInvisible, emitVisible } from './emit-visibility.ts';

interface MembershipChange {
  readonly realm: Pick<Realm, 'id'>;
  /** UNIX time in seconds. */
  readonly now: number;
  /** The groups whose members change. */
  readonly groups: readonly UserGroupId[];
}

/**
 * Runs a change of the members of groups. Emits the private channels that users
 * see only from now on, and those that they no longer see.
 */
export async function changingVisibility(
  change: LockedChange<'stream' | 'subscription'>,
  { realm, now, groups }: MembershipChange,
  work: () => Promise<void>,
): Promise<void> {
  const { db } = change;
  const channels = await channelRows.privateSeenBy(db, realm.id, groups);
  if (channels.length === 0) return work();
  const before = await channelRows.viewersOf(db, realm.id, channels);
  await work();
  await emitDifference(change, { realm, now, channels, before });
}

interface TimePassed extends MembershipChange {
  /** Members whose waiting period is over now, and was not before. */
  readonly members: readonly UserId[];
}

/** Emits the private channels that members see since their waiting period is over. */
export async function emitSeenByFullMembers(
  change: Change<'stream' | 'subscription'>,
  { realm, now, groups, members }: TimePassed,
): Promise<void> {
  const { db } = change;
  const channels = await channelRows.privateSeenBy(db, realm.id, groups);
  if (channels.length === 0) return;
  const before = await channelRows.viewersOf(db, realm.id, channels, members);
  await emitDifference(change, { realm, now, channels, before });
}

interface Difference extends Omit<MembershipChange, 'groups'> {
  readonly channels: readonly ChannelId[];
  readonly before: ReadonlyMap<ChannelId, readonly UserId[]>;
}

async function emitDifference(
  change: Change<'stream' | 'subscription'>,
  { realm, now, channels, before }: Difference,
): Promise<void> {
  const { db } = change;
  const after = await channelRows.viewersOf(db, realm.id, channels);
  const records = await channelRecords(db, { realm, now }, channels);
  const subscribers = await subscribersOf(db, realm.id, channels);
  for (const [id, record] of records) {
    const former = before.get(id) ?? [];
    const current = after.get(id) ?? [];
    const filter = filterFor(record.is_archived);
    const audience = without(current, former);
    const shown = { record, subscribers: subscribers.get(id) ?? [], audience, ...filter };
    await emitVisible(change, { realm, ...shown });
    emitInvisible(change, { ids: [id], audience: without(former, current), ...filter });
  }
}

function without(users: readonly UserId[], excluded: readonly UserId[]): UserId[] {
  const ids = new Set(excluded);
  return users.filter((id) => !ids.has(id));
}

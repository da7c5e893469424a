import type { ChannelId, UserGroupId, UserId } from '@bellhop/protocol';

import type { Change } from '../../engine/call.ts';
import type { Realm } from '../../engine/caller.ts';
import { channelRecords } from './channel-records.ts';
import * as channelRows from './channel-rows.ts';
import { emitInvisible, emitVisible } from './emit-visibility.ts';
import { subscribersOf } from './subscribe/subscription-rows.ts';

interface MembershipChange {
  readonly realm: Pick<Realm, 'id'>;
  /** UNIX time in seconds. */
  readonly now: number;
  /** The groups whose members change. */
  readonly groups: readonly UserGroupId[];
}

/**
 * Runs a change of the members of groups. Emits the private channels that users see only from now on,
 * and those that they no longer see.
 */
export async function changingVisibility(
  change: Change<'stream' | 'subscription'>,
  { realm, now, groups }: MembershipChange,
  work: () => Promise<void>,
): Promise<void> {
  const { db } = change;
  const channels = await channelRows.privateSeenBy(db, realm.id, groups);
  if (channels.length === 0) return work();
  await channelRows.lock(db, realm.id, channels);
  const before = await channelRows.viewersOf(db, realm.id, channels);
  await work();
  const after = await channelRows.viewersOf(db, realm.id, channels);
  const records = await channelRecords(db, { realm, now }, channels);
  const subscribers = await subscribersOf(db, realm.id, channels);
  const viewers = (of: ReadonlyMap<ChannelId, readonly UserId[]>, id: ChannelId) =>
    of.get(id) ?? [];
  for (const [id, record] of records) {
    const former = viewers(before, id);
    const current = viewers(after, id);
    const only = record.is_archived ? ({ only: 'archived_channels' } as const) : {};
    const audience = without(current, former);
    emitVisible(change, { record, subscribers: subscribers.get(id) ?? [], audience, ...only });
    emitInvisible(change, { ids: [id], audience: without(former, current), ...only });
  }
}

function without(users: readonly UserId[], excluded: readonly UserId[]): UserId[] {
  const ids = new Set(excluded);
  return users.filter((id) => !ids.has(id));
}

import { type Channel, channelGroupSettings, type UserId } from '@bellhop/protocol';

import type { Change } from '../../../engine/call.ts';
import type { Realm } from '../../../engine/caller.ts';
import { filterFor } from '../../../model/channels/archived-channels-filter.ts';
import { channelRecords } from '../../../model/channels/channel-records.ts';
import * as channelRows from '../../../model/channels/channel-rows.ts';
import type { ChannelRow } from '../../../model/channels/channel-rows.ts';
import { subscribersOf } from '../../../model/channels/subscribe/subscription-rows.ts';
import { isSamePrivacy } from '../../../model/channels/update/privacy.ts';
import { emitInvisible, emitVisible } from '../emit-visibility.ts';

/** The properties that have an update event of their own. */
const properties = [
  'name',
  'description',
  'message_retention_days',
  'topics_policy',
  'folder_id',
  'stream_post_policy',
  'is_announcement_only',
  ...channelGroupSettings,
] as const satisfies readonly (keyof Channel)[];

interface RecordWithViewers {
  readonly record: Channel;
  readonly viewers: readonly UserId[];
}
interface ChannelAt {
  readonly realm: Pick<Realm, 'id'>;
  /** UNIX time in seconds. */
  readonly now: number;
  readonly id: ChannelRow['id'];
}

/** A channel and its viewers at one moment of a change. */
export async function recordWithViewers(
  { db }: Pick<Change, 'db'>,
  { realm, now, id }: ChannelAt,
): Promise<RecordWithViewers> {
  const record = (await channelRecords(db, { realm, now }, [id])).get(id);
  if (!record) throw new Error(`There is no channel ${id}`);
  return { record, viewers: (await channelRows.viewersOf(db, realm.id, [id])).get(id) ?? [] };
}

/**
 * Emits the difference between two states of channels: updates to users who see the channel before
 * and after, the channel to new viewers, its deletion to former viewers.
 */
export async function emitUpdates(
  change: Change<'stream' | 'subscription'>,
  channel: ChannelAt,
  before: RecordWithViewers,
): Promise<void> {
  const { realm, id } = channel;
  const after = await recordWithViewers(change, channel);
  const [saw, sees] = [new Set(before.viewers), new Set(after.viewers)];
  const staying = after.viewers.filter((user) => saw.has(user));
  // Clients without the capability do not know the channel while it is archived.
  const filter = filterFor(after.record.is_archived);
  for (const update of updatesOf(before.record, after.record))
    change.emit({ ...update, ...filter }, staying);
  const subscribers = await subscribersOf(change.db, realm.id, [id]);
  await emitVisible(change, {
    realm,
    record: after.record,
    subscribers: subscribers.get(id) ?? [],
    audience: after.viewers.filter((user) => !saw.has(user)),
    ...filter,
  });
  emitInvisible(change, {
    ids: [id],
    audience: before.viewers.filter((user) => !sees.has(user)),
    ...filter,
  });
}

/** One event for each changed property. It carries the name that clients know. */
function updatesOf(before: Channel, after: Channel) {
  const { stream_id, name } = before;
  const update = { type: 'stream', op: 'update', stream_id, name } as const;
  const changed = properties
    .filter((property) => JSON.stringify(before[property]) !== JSON.stringify(after[property]))
    .map((property) => ({
      ...update,
      property,
      value: after[property],
      ...(property === 'description' ? { rendered_description: after.rendered_description } : {}),
    }));
  if (isSamePrivacy(before, after)) return changed;
  const { invite_only: value, history_public_to_subscribers, is_web_public } = after;
  return [
    { ...update, property: 'invite_only', value, history_public_to_subscribers, is_web_public },
    ...changed,
  ];
}

import type { DefaultChannelGroup, RealmId } from '@bellhop/protocol';

import { MEMBERS } from '../../engine/audience.ts';
import type { Change, Db } from '../../engine/call.ts';
import type { Realm } from '../../engine/caller.ts';
import { isPublic } from '../../model/channels/access.ts';
import * as channelRows from '../../model/channels/channel-rows.ts';
import * as queries from '../../model/default-channel-groups/queries.ts';

/** The default channel groups, with those of their channels that are public and in use. */
export async function offeredGroups(db: Db, realm_id: RealmId): Promise<DefaultChannelGroup[]> {
  const groups = await queries.ofRealm(db, realm_id);
  if (groups.length === 0) return [];
  const ids = [...new Set(groups.flatMap(({ streams }) => streams))];
  const rows = await channelRows.byIds(db, realm_id, ids);
  const offered = new Set(rows.filter(isOffered).map(({ id }) => id));
  return groups.map((group) => ({
    ...group,
    streams: group.streams.filter((id) => offered.has(id)),
  }));
}

const isOffered = (channel: channelRows.ChannelRow): boolean =>
  isPublic(channel) && !channel.is_archived;

type EmitGroups = Pick<Change<'default_stream_groups'>, 'db' | 'emit'>;

/** Emits the default channel groups to everybody but guests. */
export async function emitDefaultChannelGroups(
  { db, emit }: EmitGroups,
  realm: Pick<Realm, 'id'>,
): Promise<void> {
  const default_stream_groups = await offeredGroups(db, realm.id);
  emit({ type: 'default_stream_groups', default_stream_groups }, MEMBERS);
}

/** Emits the default channel groups if one of them offers a channel that it did not offer before, or no longer. */
export async function emitOfferChange(
  change: EmitGroups,
  realm: Pick<Realm, 'id'>,
  { before, after }: { before: channelRows.ChannelRow; after: channelRows.ChannelRow },
): Promise<void> {
  if (isOffered(before) === isOffered(after)) return;
  const groups = await queries.ofRealm(change.db, realm.id);
  if (groups.some(({ streams }) => streams.includes(after.id)))
    await emitDefaultChannelGroups(change, realm);
}

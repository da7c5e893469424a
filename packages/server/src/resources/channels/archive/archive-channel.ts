import type { App } from '../../../engine/app.ts';
import { everyoneInChannel } from '../../../engine/audience.ts';
import type { Change, LockedChange } from '../../../engine/call.ts';
import type { Actor } from '../../../engine/caller.ts';
import { channelRecords } from '../../../model/channels/channel-records.ts';
import * as channelRows from '../../../model/channels/channel-rows.ts';
import type { ChannelRow } from '../../../model/channels/channel-rows.ts';
import { personalSubscriptions } from '../../../model/channels/subscribe/personal-subscriptions.ts';
import * as subscriptionRows from '../../../model/channels/subscribe/subscription-rows.ts';
import { emitOfferChange } from '../../default-channel-groups/offered-groups.ts';
import { markArchivedRead } from '../../messages/flag/mark-channels-read.ts';
import { emitTopicsOfArchiving } from '../../user-topics/emit-archiving.ts';
import { mention, sendChannelNotice } from '../channel-notice.ts';
import { emitDefaultChannels } from '../emit-default-channels.ts';
import { emitInvisible, emitVisible } from '../emit-visibility.ts';
import { unsetRealmChannel } from './unset-realm-channel.ts';

const isArchived = ({ id, name }: ChannelRow, value: boolean) =>
  ({
    type: 'stream',
    op: 'update',
    stream_id: id,
    name,
    property: 'is_archived',
    value,
    only: 'archived_channels',
  }) as const;

/**
 * Archives a channel, with a last notice in it. Its subscriptions stay, its messages count as read,
 * it is no default channel any more, and the realm sends no messages to it. Clients without
 * `archived_channels` get events that delete the channel and the policies of its topics.
 */
export async function archiveChannel(
  app: App,
  change: LockedChange<
    | 'stream'
    | 'default_streams'
    | 'default_stream_groups'
    | 'message'
    | 'update_message_flags'
    | 'user_topic'
    | 'realm'
  >,
  actor: Actor,
  channel: ChannelRow,
): Promise<void> {
  const { db, emit } = change;
  const { realm, user } = actor;
  const { id } = channel;
  const content = `${mention(user)} archived this channel.`;
  const subscribers = (await subscriptionRows.subscribersOf(db, realm.id, [id])).get(id) ?? [];
  await sendChannelNotice(change, actor, { channel, content, read_by: { allBut: [] } });
  await channelRows.update(db, channel, { is_archived: true, is_default: false });
  const viewers = (await channelRows.viewersOf(db, realm.id, [id])).get(id) ?? [];
  const pairs = subscribers.map((user_id) => ({ user_id, channel_id: id }));
  await markArchivedRead(change, realm, pairs);
  const after = { ...channel, is_archived: true };
  await emitTopicsOfArchiving(change, actor, after);
  emit(isArchived(channel, true), viewers);
  emitInvisible(change, { ids: [id], audience: viewers, only: 'no_archived_channels' });
  if (channel.is_default) await emitDefaultChannels(change, realm);
  await emitOfferChange(change, realm, { before: channel, after });
  await unsetRealmChannel(app, change, { realm, id });
}

/** Makes an archived channel usable again, with a notice in it. Clients get the reverse of archiving. */
export async function unarchiveChannel(
  change: Change<'stream' | 'subscription' | 'message' | 'user_topic'>,
  actor: Actor,
  channel: ChannelRow,
): Promise<void> {
  const { db, emit } = change;
  const { realm, user } = actor;
  const { id } = channel;
  await channelRows.update(db, channel, { is_archived: false });
  const record = (await channelRecords(db, actor, [id])).get(id);
  if (!record) throw new Error(`There is no channel ${id}`);
  const viewers = (await channelRows.viewersOf(db, realm.id, [id])).get(id) ?? [];
  const rows = await subscriptionRows.ofChannel(db, realm.id, id);
  const subscribers = rows.map(({ user_id }) => user_id);
  emit(isArchived(channel, false), viewers);
  const others = viewers.filter((one) => !subscribers.includes(one));
  const only = 'no_archived_channels';
  await emitVisible(change, { realm, record, subscribers, audience: others, only });
  const everyone = [everyoneInChannel(id)];
  emit({ type: 'stream', op: 'create', streams: [record], only }, everyone);
  emit(
    { type: 'subscription', op: 'add', subscriptions: [{ ...record, subscribers }], only },
    everyone,
    { users: await personalSubscriptions(db, realm.id, rows) },
  );
  await emitTopicsOfArchiving(change, actor, { ...channel, is_archived: false });
  const content = `${mention(user)} unarchived this channel.`;
  await sendChannelNotice(change, actor, { channel, content });
}

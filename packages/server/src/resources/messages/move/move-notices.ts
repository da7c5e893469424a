import type { MessageId } from '@bellhop/protocol';

import type { Change } from '../../../engine/call.ts';
import type { Realm, User } from '../../../engine/caller.ts';
import { narrowUrl } from '../../../markdown/narrow-url.ts';
import type { ChannelRow } from '../../channels/channel-rows.ts';
import * as channels from '../../channels/postable-channel.ts';
import * as users from '../../users/queries.ts';
import { takesTopic } from '../check-topic.ts';
import { sendMessage } from '../send/send-message.ts';
import { seesTopic } from './move-queries.ts';
import type { Move } from './plan-move.ts';

interface Noticing {
  readonly realm: Realm;
  /** Who moved them. */
  readonly user: User;
  readonly now: number;
  readonly move: Move;
  /** What moved. */
  readonly ids: readonly MessageId[];
  readonly params: {
    readonly send_notification_to_old_thread: boolean;
    readonly send_notification_to_new_thread: boolean;
  };
}
interface Place {
  readonly channel: ChannelRow;
  readonly topic: string;
}

/** Has the notification bot say in the old and the new topic what was moved, or that it is resolved. */
export async function sendMoveNotices(
  change: Change<'message'>,
  noticing: Noticing,
): Promise<void> {
  const { user, move, ids, params } = noticing;
  const { from, to, resolution, channelChanges } = move;
  const isWhole = await isWholeTopic(change, noticing);
  const by = `@_**${user.full_name}|${user.id}**`;
  const isNew = isWhole && !(await seesTopic(change.db, user, { ...at(to), except: ids }));
  if (resolution !== undefined && !channelChanges)
    await say(change, noticing, { to, content: `${by} has marked this topic as ${resolution}.` });
  else if (params.send_notification_to_new_thread) {
    const what = isNew
      ? 'This topic'
      : ids.length > 1
        ? `${ids.length} messages`
        : linked(noticing);
    await say(change, noticing, {
      to,
      content: `${what} ${ids.length > 1 && !isNew ? 'were' : 'was'} moved here from ${named(from, to)} by ${by}.`,
    });
  }
  if (!params.send_notification_to_old_thread) return;
  const what = isWhole
    ? 'This topic was moved'
    : ids.length > 1
      ? `${ids.length} messages were moved from this topic`
      : 'A message was moved from this topic';
  await say(change, noticing, { to: from, content: `${what} to ${named(to, from)} by ${by}.` });
}

const at = ({ channel, topic }: Place) => ({ channel_id: channel.id, topic });

/** As far as the mover can see: nothing is told of messages out of their sight. */
async function isWholeTopic(
  { db }: Pick<Change, 'db'>,
  { user, move, ids }: Noticing,
): Promise<boolean> {
  if (move.propagate_mode === 'change_all') return true;
  return !(await seesTopic(db, user, { ...at(move.from), except: ids }));
}

const linked = ({ realm, move, ids }: Noticing) =>
  `[A message](${realm.url}${narrowUrl(move.to.channel, move.to.topic, ids[0])})`;

/** The name of a private channel is for those who are in it. */
function named(place: Place, readIn: Place): string {
  if (place.channel.invite_only && place.channel.id !== readIn.channel.id)
    return 'a private channel';
  const { channel, topic } = place;
  const text = `${channel.name}>${topic}`;
  const isPlain = !/[*\n]|@\d+$/.test(text) && !channel.name.includes('>');
  return isPlain ? `#**${text}**` : `[another topic](${narrowUrl(channel, topic)})`;
}

async function say(
  change: Change<'message'>,
  { realm, user, now }: Noticing,
  { to, content }: { to: Place; content: string },
): Promise<void> {
  const sender = await users.systemBot(change.db, realm.id, 'notification-bot');
  const channel = await channels.forPosting(change.db, sender, { id: to.channel.id });
  if (!channel || channel.is_archived || !takesTopic(realm, channel, to.topic)) return;
  await sendMessage(change, {
    realm,
    sender,
    client: 'Internal',
    now,
    to: { channel, topic: to.topic },
    content,
    read_by_sender: true,
    read_by: user.id,
  });
}

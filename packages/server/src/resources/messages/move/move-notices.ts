import { foldCase, type MessageId, narrowUrl, type UserId } from '@bellhop/protocol';

import type { Change, Db } from '../../../engine/call.ts';
import type { Actor, User } from '../../../engine/caller.ts';
import { topicMarkdown } from '../../../markdown/channel-markdown.ts';
import { isPublic } from '../../../model/channels/access.ts';
import type { ChannelRow } from '../../../model/channels/channel-rows.ts';
import { postableChannel } from '../../../model/channels/postable-channel.ts';
import type { Topic, TopicIn } from '../../../model/conversation.ts';
import type { Move } from '../../../model/messages/move/plan-move.ts';
import { lastOfTopic } from '../../../model/messages/move/queries.ts';
import { messageAudience } from '../../../model/messages/read/message-audience.ts';
import { allowsTopic } from '../../../model/messages/topic-rules.ts';
import { unreadResolution } from '../../../model/user-topics/queries.ts';
import { systemBot } from '../../../model/users/queries.ts';
import { deleteBatch } from '../delete/delete-batch.ts';
import { sendMessage } from '../send/send-message.ts';
import { at, type MoveExtent } from './move-extent.ts';

interface NoticeContext extends Actor {
  readonly move: Move;
  /** The moved messages, ascending. */
  readonly ids: readonly MessageId[];
  readonly extent: MoveExtent;
  readonly params: {
    readonly send_notification_to_old_thread: boolean;
    readonly send_notification_to_new_thread: boolean;
  };
}

/**
 * Sends the notification bot's notices to the old and the new topic: what was moved by whom, or that
 * the topic was resolved; none if only the letter case of the topic has changed.
 */
export async function sendMoveNotices(
  change: Change<'message' | 'delete_message' | 'stream' | 'attachment'>,
  context: NoticeContext,
): Promise<void> {
  const { user, move, ids, extent, params } = context;
  const { from, to, resolution, channelChanges } = move;
  const { isWhole, isMerge } = extent;
  const by = `@_**${user.full_name}|${user.id}**`;
  const isNew = isWhole && !isMerge;
  // The messages were not moved: topics are the same in any letter case.
  if (!channelChanges && foldCase(from.topic) === foldCase(to.topic)) return;
  if (resolution !== undefined && !channelChanges) {
    if (!(await takeBackResolution(change, context)))
      await sendNotice(change, context, {
        to,
        content: `${by} ${MARKED} ${resolution}.`,
        isResolution: true,
      });
  } else if (params.send_notification_to_new_thread) {
    const what = isNew
      ? 'This topic'
      : ids.length > 1
        ? `${ids.length} messages`
        : messageLink(context);
    await sendNotice(change, context, {
      to,
      content: `${what} ${ids.length > 1 && !isNew ? 'were' : 'was'} moved here from ${topicLink(from, to)} by ${by}.`,
    });
  }
  if (!params.send_notification_to_old_thread) return;
  const what = isWhole
    ? 'This topic was moved'
    : ids.length > 1
      ? `${ids.length} messages were moved from this topic`
      : 'A message was moved from this topic';
  await sendNotice(change, context, {
    to: from,
    content: `${what} to ${topicLink(to, from)} by ${by}.`,
  });
}

const MARKED = 'has marked this topic as';
/**
 * Within this many seconds, the opposite mark removes the last notice instead of adding one.
 */
const UNDO_SECONDS = 60;

/**
 * Deletes the notice of the opposite mark if it is the last message of the topic and new, so that a mark
 * that was set by mistake leaves no notices. False if there is none.
 */
async function takeBackResolution(
  change: Change<'delete_message' | 'stream' | 'attachment'>,
  { realm, user, now, move }: NoticeContext,
): Promise<boolean> {
  const { channel, topic } = move.to;
  const sender = await systemBot(change.db, realm.id, 'notification-bot');
  const last = await lastOfTopic(change.db, realm.id, at(move.to));
  const opposite = move.resolution === 'resolved' ? 'unresolved' : 'resolved';
  const isUndone =
    last?.sender_id === sender.id &&
    last.content.endsWith(` ${MARKED} ${opposite}.`) &&
    now - last.sent_at <= UNDO_SECONDS;
  if (!isUndone) return false;
  const { id } = last;
  const { audience } = await messageAudience(change.db, realm, { id, channel, user });
  await deleteBatch(change, { realm, ids: [id], channels: [channel.id], now });
  change.emit(
    {
      type: 'delete_message',
      message_ids: [id],
      message_type: 'stream',
      stream_id: channel.id,
      topic,
    },
    audience,
  );
  return true;
}

const messageLink = ({ realm, move, ids }: NoticeContext) =>
  `[A message](${realm.url}${narrowUrl(move.to.channel, move.to.topic, ids[0])})`;

/**
 * A link to a topic for readers of the other topic, who must not learn the name of a private
 * channel.
 */
function topicLink({ channel, topic }: TopicIn<ChannelRow>, readIn: TopicIn<ChannelRow>): string {
  if (!isPublic(channel) && channel.id !== readIn.channel.id) return 'a private channel';
  return topicMarkdown(channel, topic);
}

/** The channels of a move, each once: links to a name that occurs twice are ambiguous. */
const channelsOf = ({ from, to, channelChanges }: Move) =>
  channelChanges ? [from.channel, to.channel] : [to.channel];

interface MoveNotice {
  readonly to: TopicIn<ChannelRow>;
  readonly content: string;
  /** The notice counts as read for users whose settings say so. */
  readonly isResolution?: boolean;
}

async function sendNotice(
  change: Change<'message' | 'stream'>,
  { realm, user, now, move }: NoticeContext,
  { to, content, isResolution = false }: MoveNotice,
): Promise<void> {
  const sender = await systemBot(change.db, realm.id, 'notification-bot');
  const channel = await postableChannel(change.db, sender, { id: to.channel.id });
  if (!channel || channel.is_archived || !allowsTopic(realm, channel, to.topic)) return;
  const read_by = isResolution ? { allBut: await unreadFor(change.db, user, at(to)) } : [user.id];
  await sendMessage(change, {
    realm,
    sender,
    client: 'Internal',
    now,
    to: { channel, topic: to.topic },
    content,
    resolves: { users: [user], channels: channelsOf(move) },
    read_by_sender: true,
    read_by,
  });
}

/** The people for whom the notice that somebody resolved a topic is unread. */
const unreadFor = async (db: Db, { id, realm_id }: User, topic: Topic): Promise<UserId[]> =>
  (await unreadResolution(db, realm_id, topic)).filter((other) => other !== id);

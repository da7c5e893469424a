import { badRequest, type ParamsOf, type PropagateMode, type Api } from '@bellhop/protocol';

import type { Db } from '../../../engine/call.ts';
import { noSuchChannel } from '../../channels/channel-address.ts';
import type { ChannelRow } from '../../channels/channel-rows.ts';
import * as channelRows from '../../channels/channel-rows.ts';
import {
  postableChannel,
  type PostableChannel,
  requireCanPost,
} from '../../channels/postable-channel.ts';
import type { TopicIn } from '../../conversation.ts';
import type { MessageEdit } from '../edit/message-edit.ts';
import { printableTopic, requireAllowedTopic, resolutionOf } from '../topic-rules.ts';

/** A move of messages from one topic to another. */
export interface Move {
  readonly from: TopicIn<ChannelRow>;
  readonly to: TopicIn<ChannelRow> & { readonly postable: PostableChannel };
  readonly channelChanges: boolean;
  readonly topicChanges: boolean;
  /** Set if only the mark of a resolved topic is added or removed. */
  readonly resolution: 'resolved' | 'unresolved' | undefined;
  readonly propagate_mode: PropagateMode;
}

type MoveParams = Pick<
  ParamsOf<Api['messages']['edit']>,
  'content' | 'topic' | 'stream_id' | 'propagate_mode'
>;

/**
 * The move that an edit asks for; undefined if it asks for none. Throws STREAM_DOES_NOT_EXIST, and
 * BAD_REQUEST for contradicting parameters or a channel in which the user may not post.
 */
export async function planMove(
  db: Db,
  { realm, user, target }: MessageEdit,
  params: MoveParams,
): Promise<Move | undefined> {
  const { channel } = target;
  if (!channel && params.stream_id !== undefined)
    throw badRequest('Direct messages cannot be moved to channels.');
  if (!channel && params.topic !== undefined)
    throw badRequest('Direct messages cannot have topics.');
  const isMove = params.topic !== undefined || params.stream_id !== undefined;
  if (!isMove && params.propagate_mode !== 'change_one')
    throw badRequest('Invalid propagate_mode without topic edit');
  const id = params.stream_id ?? channel?.id;
  if (!channel || id === undefined) return undefined;
  const channelChanges = id !== channel.id;
  const topic = params.topic === undefined ? target.topic : printableTopic(params.topic);
  const topicChanges = topic !== target.topic;
  if (!channelChanges && !topicChanges) return undefined;
  if (channelChanges && params.content !== undefined)
    throw badRequest('Cannot change message content while changing channel');
  const [postable, [row]] = await Promise.all([
    postableChannel(db, user, { id }),
    channelRows.byIds(db, realm.id, [id]),
  ]);
  if (channelChanges) await requireCanPost(db, { sender: user, place: { id } }, postable);
  if (!postable || !row) throw noSuchChannel({ id });
  requireAllowedTopic(realm, postable, topic);
  return {
    from: { channel, topic: target.topic },
    to: { channel: row, postable, topic },
    channelChanges,
    topicChanges,
    resolution: topicChanges ? resolutionOf(target.topic, params.topic ?? '') : undefined,
    propagate_mode: params.propagate_mode,
  };
}

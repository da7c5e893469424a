import { badRequest, type ParamsOf, type PropagateMode, type Api } from '@bellhop/protocol';

import type { Db } from '../../../engine/call.ts';
import type { Realm, User } from '../../../engine/caller.ts';
import { requireCanPost } from '../../channels/access.ts';
import type { ChannelRow } from '../../channels/channel-rows.ts';
import * as channelRows from '../../channels/channel-rows.ts';
import * as channels from '../../channels/postable-channel.ts';
import type { PostableChannel } from '../../channels/postable-channel.ts';
import type { ChangeableMessage } from '../changeable-message.ts';
import { printableTopic, requireTakesTopic, resolutionOf } from '../check-topic.ts';
import { noSuchChannel } from '../send/recipients.ts';

/** Where messages of a topic go. */
export interface Move {
  readonly from: { readonly channel: ChannelRow; readonly topic: string };
  readonly to: {
    readonly channel: ChannelRow;
    readonly place: PostableChannel;
    readonly topic: string;
  };
  readonly channelChanges: boolean;
  readonly topicChanges: boolean;
  /** Only the mark of a resolved topic comes or goes. */
  readonly resolution: 'resolved' | 'unresolved' | undefined;
  readonly propagate_mode: PropagateMode;
}

type Asked = Pick<
  ParamsOf<Api['messages']['edit']>,
  'content' | 'topic' | 'stream_id' | 'propagate_mode'
>;

/**
 * What is asked for beside the content; undefined if nothing moves. Throws BAD_REQUEST for what
 * makes no sense, STREAM_DOES_NOT_EXIST, and BAD_REQUEST where the mover may not post.
 */
export async function plannedMove(
  db: Db,
  { realm, user, target }: { realm: Realm; user: User; target: ChangeableMessage },
  asked: Asked,
): Promise<Move | undefined> {
  const { channel } = target;
  if (!channel && asked.stream_id !== undefined)
    throw badRequest('Direct messages cannot be moved to channels.');
  if (!channel && asked.topic !== undefined)
    throw badRequest('Direct messages cannot have topics.');
  const isMove = asked.topic !== undefined || asked.stream_id !== undefined;
  if (!isMove && asked.propagate_mode !== 'change_one')
    throw badRequest('Invalid propagate_mode without topic edit');
  const id = asked.stream_id ?? channel?.id;
  if (!channel || id === undefined) return undefined;
  const channelChanges = id !== channel.id;
  const topicChanges = asked.topic !== undefined && asked.topic !== target.topic;
  if (!channelChanges && !topicChanges) return undefined;
  if (channelChanges && asked.content !== undefined)
    throw badRequest('Cannot change message content while changing channel');
  const [place, [row]] = await Promise.all([
    channels.forPosting(db, user, { id }),
    channelRows.byIds(db, realm.id, [id]),
  ]);
  if (!place || !row) throw noSuchChannel({ id });
  if (channelChanges) requireCanPost(place);
  const topic = topicChanges ? printableTopic(asked.topic ?? '') : target.topic;
  requireTakesTopic(realm, place, topic);
  return {
    from: { channel, topic: target.topic },
    to: { channel: row, place, topic },
    channelChanges,
    topicChanges,
    resolution: topicChanges ? resolutionOf(target.topic, asked.topic ?? '') : undefined,
    propagate_mode: asked.propagate_mode,
  };
}

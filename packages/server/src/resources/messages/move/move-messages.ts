import type { EditHistoryEntry, MessageId } from '@bellhop/protocol';

import type { Change } from '../../../engine/call.ts';
import type { ContentChange, MessageEdit } from '../../../model/messages/edit/message-edit.ts';
import { recordHistory } from '../../../model/messages/edit/queries.ts';
import { requireWithinTimeLimit } from '../../../model/messages/move/access.ts';
import { moveAudience } from '../../../model/messages/move/move-audience.ts';
import type { Move } from '../../../model/messages/move/plan-move.ts';
import * as moves from '../../../model/messages/move/queries.ts';
import type { MovedMessage } from '../../../model/messages/move/queries.ts';
import { withdrawPushes } from '../../devices/message-push/withdraw-pushes.ts';
import { updateFirstMessages } from '../update-first-messages.ts';
import { emitMove } from './emit-move.ts';

interface RequestedMove {
  readonly move: Move;
  /** The change of the target's content, if the same edit changes it. */
  readonly content: ContentChange | undefined;
}

/**
 * Moves a message and those that `propagate_mode` includes, with the events. Returns the ids of the
 * moved messages, ascending. Throws as `requireWithinTimeLimit` does; asks for no other permission.
 */
export async function moveMessages(
  change: Change<'update_message' | 'delete_message' | 'stream'>,
  edit: MessageEdit,
  { move, content }: RequestedMove,
): Promise<readonly MessageId[]> {
  const { realm, user, now } = edit;
  const { db } = change;
  const messages = await messagesToMove(change, edit, move);
  requireWithinTimeLimit(edit, move, messages);
  const ids = messages
    .filter(({ topic }) => move.channelChanges || topic !== move.to.topic)
    .map(({ id }) => id);
  const audience = await moveAudience(db, realm, { user, move, ids });
  await record(change, edit, { move, content, ids });
  const { postable, topic } = move.to;
  await moves.moveTo(
    db,
    { realm: realm.id, ids },
    {
      channel_id: postable.id,
      recipient_id: postable.recipient_id,
      topic: move.topicChanges ? topic : undefined,
      last_moved_at: move.resolution !== undefined && !move.channelChanges ? undefined : now,
    },
  );
  if (move.channelChanges) {
    const arrived = { realm: realm.id, channel: postable.id, ids };
    await moves.removeFromNonReaders(db, arrived);
    await moves.markReadForNonSubscribers(db, arrived);
    if (!move.to.channel.shares_history) await moves.addForSubscribers(db, arrived);
    await withdrawPushes(change, realm, { messages: ids });
  }
  await emitMove(change, edit, { move, content, audience });
  if (move.channelChanges)
    await updateFirstMessages(change, realm, [move.from.channel.id, postable.id]);
  return ids;
}

async function messagesToMove(
  { db }: Pick<Change, 'db'>,
  { user, target }: MessageEdit,
  { from, propagate_mode }: Move,
): Promise<readonly MovedMessage[]> {
  if (propagate_mode === 'change_one') return [target];
  return moves.lockTopic(db, user, {
    channel_id: from.channel.id,
    topic: target.topic,
    since: propagate_mode === 'change_all' ? 0 : target.id,
  });
}

async function record(
  { db }: Pick<Change, 'db'>,
  { realm, user, now, target }: MessageEdit,
  { move, content, ids }: RequestedMove & { ids: readonly MessageId[] },
): Promise<void> {
  const { from, to, channelChanges, topicChanges } = move;
  const entry: EditHistoryEntry = {
    user_id: user.id,
    timestamp: now,
    ...(topicChanges ? { prev_topic: from.topic, topic: to.topic } : {}),
    ...(channelChanges ? { prev_stream: from.channel.id, stream: to.channel.id } : {}),
  };
  const others = content ? ids.filter((id) => id !== target.id) : ids;
  if (others.length > 0) await recordHistory(db, { realm: realm.id, ids: others }, entry);
  if (!content) return;
  const { orig_content: prev_content, orig_rendered_content: prev_rendered_content } = content;
  await recordHistory(
    db,
    { realm: realm.id, ids: [target.id] },
    { ...entry, prev_content, prev_rendered_content },
  );
}

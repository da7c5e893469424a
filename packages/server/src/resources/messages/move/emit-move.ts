import type { MessageId, RealmId } from '@bellhop/protocol';

import type { Change } from '../../../engine/call.ts';
import { topicLinks } from '../../../markdown/topic-links.ts';
import type { ContentChange, MessageEdit } from '../../../model/messages/edit/message-edit.ts';
import type { moveAudience } from '../../../model/messages/move/move-audience.ts';
import type { Move } from '../../../model/messages/move/plan-move.ts';
import { flagNames } from '../../../model/messages/read/flags.ts';
import { historicalFlags } from '../../../model/messages/read/message-audience.ts';
import { recipientFlagsInOrder } from '../../../model/messages/read/recipient-flags.ts';

/**
 * The most messages of one event: clients without bulk deletion get one event per message, and
 * event ids have room for this many.
 */
const MAX_DELETED = 10_000;

interface EmittedMove {
  readonly move: Move;
  /** The change of the target's content, if the same edit changes it. */
  readonly content: ContentChange | undefined;
  readonly audience: Awaited<ReturnType<typeof moveAudience>>;
}

/** Emits the events of a move: `delete_message` to users who lose the messages, else `update_message`. */
export async function emitMove(
  change: Change<'update_message' | 'delete_message'>,
  { realm, user, now, target }: MessageEdit,
  { move, content, audience }: EmittedMove,
): Promise<void> {
  const { from, to, channelChanges, topicChanges, propagate_mode } = move;
  for (const { ids, users, except = [] } of audience.lose)
    for (let at = 0; at < ids.length; at += MAX_DELETED)
      change.emit(
        {
          type: 'delete_message',
          message_ids: ids.slice(at, at + MAX_DELETED),
          message_type: 'stream',
          stream_id: from.channel.id,
          topic: from.topic,
        },
        users,
        { users: Object.fromEntries(except.map((id) => [id, { keeps: true }])) },
      );
  for (const { ids, users } of audience.follow) {
    const hasTarget = ids.includes(target.id);
    const message_id = hasTarget ? target.id : (ids[0] ?? target.id);
    change.emit(
      {
        type: 'update_message',
        user_id: user.id,
        rendering_only: false,
        message_id,
        message_ids: [...ids],
        flags: historicalFlags,
        edit_timestamp: now,
        stream_id: from.channel.id,
        stream_name: from.channel.name,
        ...(content && hasTarget ? content : {}),
        propagate_mode,
        orig_subject: from.topic,
        ...(topicChanges
          ? { subject: to.topic, topic_links: topicLinks(to.topic, realm.linkifiers) }
          : {}),
        ...(channelChanges ? { new_stream_id: to.channel.id } : {}),
      },
      users,
      { users: await flagsOf(change, realm.id, message_id) },
    );
  }
}

async function flagsOf(
  { db }: Pick<Change, 'db'>,
  realm: RealmId,
  id: MessageId,
): Promise<Record<number, object>> {
  const received = await recipientFlagsInOrder(db, realm, id);
  return Object.fromEntries(
    received.map(({ user_id, flags }) => [user_id, { flags: flagNames(flags) }]),
  );
}

import type { MessageId } from '@bellhop/protocol';

import type { Change } from '../../../engine/call.ts';
import type { Realm, User } from '../../../engine/caller.ts';
import { topicLinks } from '../../../markdown/topic-links.ts';
import type { ChangeableMessage } from '../changeable-message.ts';
import { flagNames } from '../read/flags.ts';
import { historicalFlags } from '../read/message-audience.ts';
import { recipientFlags } from '../read/recipient-flags.ts';
import type { moveAudience } from './move-audience.ts';
import type { Move } from './plan-move.ts';

/** The change of a message's content, as in the `update_message` event. */
export interface ContentChange {
  readonly orig_content: string;
  readonly orig_rendered_content: string;
  readonly content: string;
  readonly rendered_content: string;
  readonly is_me_message: boolean;
}

/** An edit that moves messages. `now` is UNIX time in seconds. */
export interface Moving {
  readonly realm: Realm;
  readonly user: User;
  readonly now: number;
  readonly target: ChangeableMessage;
  /** The change of the target's content, if the same edit changes it. */
  readonly content: ContentChange | undefined;
}

/** Clients without bulk deletion get one event per message, and event ids have room for so many. */
const MAX_DELETED = 10_000;

interface PlannedMove {
  readonly move: Move;
  readonly audience: Awaited<ReturnType<typeof moveAudience>>;
}

/** Emits the events of a move: `delete_message` to users who lose the messages, else `update_message`. */
export async function emitMove(
  change: Change<'update_message' | 'delete_message'>,
  { realm, user, now, target, content }: Moving,
  { move, audience }: PlannedMove,
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
        ...(topicChanges ? { subject: to.topic, topic_links: topicLinks(to.topic) } : {}),
        ...(channelChanges ? { new_stream_id: to.channel.id } : {}),
      },
      users,
      { users: await flagsOf(change, realm.id, message_id) },
    );
  }
}

async function flagsOf(
  { db }: Pick<Change, 'db'>,
  realm: Moving['realm']['id'],
  id: MessageId,
): Promise<Record<number, object>> {
  const received = await recipientFlags(db, realm, id);
  return Object.fromEntries(
    received.map(({ user_id, flags }) => [user_id, { flags: flagNames(flags) }]),
  );
}

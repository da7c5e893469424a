import type { MessageId } from '@bellhop/protocol';

import type { Change } from '../../../engine/call.ts';
import { topicLinks } from '../../../markdown/topic-links.ts';
import { readings } from '../edit/edit-queries.ts';
import { flagNames } from '../read/flags.ts';
import { historicalFlags } from '../read/message-audience.ts';
import type { moveAudience } from './move-audience.ts';
import type { Moving } from './move-messages.ts';
import type { Move } from './plan-move.ts';

/** How the content of a message changed, as an event says it. */
export interface ContentChange {
  readonly orig_content: string;
  readonly orig_rendered_content: string;
  readonly content: string;
  readonly rendered_content: string;
  readonly is_me_message: boolean;
}

/** One event may come one by one to an old client, and there is room for so many. */
const MOST_DELETED = 10_000;

interface Told {
  readonly move: Move;
  readonly audience: Awaited<ReturnType<typeof moveAudience>>;
}

/** Tells of a move that has happened: those who lose the messages that they are deleted. */
export async function tellMove(
  change: Change<'update_message' | 'delete_message'>,
  { realm, user, now, target, content }: Moving,
  { move, audience }: Told,
): Promise<void> {
  const { from, to, channelChanges, topicChanges, propagate_mode } = move;
  for (const { ids, users, except = [] } of audience.lose)
    for (let at = 0; at < ids.length; at += MOST_DELETED)
      change.emit(
        {
          type: 'delete_message',
          message_ids: ids.slice(at, at + MOST_DELETED),
          message_type: 'stream',
          stream_id: from.channel.id,
          topic: from.topic,
        },
        users,
        { users: Object.fromEntries(except.map((id) => [id, { keeps: true }])) },
      );
  for (const { ids, users } of audience.follow) {
    const knowsTarget = ids.includes(target.id);
    const message_id = knowsTarget ? target.id : (ids[0] ?? target.id);
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
        ...(content && knowsTarget ? content : {}),
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
  const received = await readings(db, realm, id);
  return Object.fromEntries(
    received.map(({ user_id, flags }) => [user_id, { flags: flagNames(flags) }]),
  );
}

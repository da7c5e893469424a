import type { MessageId } from '@bellhop/protocol';

import type { Change } from '../../../engine/call.ts';
import type { User } from '../../../engine/caller.ts';
import type { ChannelRow } from '../../../model/channels/channel-rows.ts';
import type { TopicIn } from '../../../model/conversation.ts';
import type { Move } from '../../../model/messages/move/plan-move.ts';
import { hasOtherMessages } from '../../../model/messages/move/queries.ts';

interface MovedMessages {
  readonly move: Move;
  readonly ids: readonly MessageId[];
}

/** How much of a topic moved, and whether it found messages at its new place, as the mover sees it. */
export interface MoveExtent {
  readonly isWhole: boolean;
  readonly isMerge: boolean;
}

/** The extent of a move that has been made. */
export async function extentOf(
  { db }: Pick<Change, 'db'>,
  user: User,
  { move, ids }: MovedMessages,
): Promise<MoveExtent> {
  const { from, to, propagate_mode } = move;
  const isWhole =
    propagate_mode === 'change_all' ||
    !(await hasOtherMessages(db, user, { ...at(from), except: ids }));
  const isMerge = isWhole && (await hasOtherMessages(db, user, { ...at(to), except: ids }));
  return { isWhole, isMerge };
}

/** The address of a topic. */
export const at = ({ channel, topic }: TopicIn<Pick<ChannelRow, 'id'>>) => ({
  channel_id: channel.id,
  topic,
});

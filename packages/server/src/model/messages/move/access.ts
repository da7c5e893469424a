import { ApiError, badRequest, roles } from '@bellhop/protocol';

import type { Db } from '../../../engine/call.ts';
import type { Realm, User } from '../../../engine/caller.ts';
import { channelsWithAccess } from '../../channels/channels-with-access.ts';
import { settingsOf } from '../../realms/realm-settings.ts';
import { GRACE_SECONDS } from '../edit/edit-content.ts';
import type { MessageEdit } from '../edit/message-edit.ts';
import type { Move } from './plan-move.ts';
import type { MovedMessage } from './queries.ts';

/**
 * Throws BAD_REQUEST if the user may not move a message. Changing its topic takes `movesWithin` (or
 * `resolvesTopics`, if only the mark of a resolved topic changes) in the old or the new channel;
 * changing its channel takes `movesOut` in the old one. Time limits apply to members and guests, and
 * not to resolving a topic.
 */
export async function requireCanMove(
  db: Db,
  { realm, user, now, target }: MessageEdit,
  move: Move,
): Promise<void> {
  const { from, to, topicChanges, channelChanges, resolution } = move;
  const channels = await channelsWithAccess(db, user, [from.channel, to.channel]);
  const limits = limitsOf(realm, user, move);
  const isOlderThan = (limit: number | null) =>
    limit !== null && now - target.sent_at > limit + GRACE_SECONDS;
  if (resolution !== undefined) {
    if (!channels.some(({ access }) => access.resolvesTopics))
      throw badRequest("You don't have permission to resolve topics in this channel.");
  } else if (topicChanges) {
    if (!channels.some(({ access }) => access.movesWithin))
      throw badRequest("You don't have permission to edit this message");
    if (isOlderThan(limits.topic))
      throw badRequest("The time limit for editing this message's topic has passed.");
  }
  if (!channelChanges) return;
  if (!channels[0]?.access.movesOut)
    throw badRequest("You don't have permission to move this message");
  if (isOlderThan(limits.channel))
    throw badRequest("The time limit for editing this message's channel has passed");
}

/** Throws MOVE_MESSAGES_TIME_LIMIT_EXCEEDED if a whole topic moves and some messages are too old. */
export function requireWithinTimeLimit(
  { realm, user, now }: MessageEdit,
  move: Move,
  messages: readonly MovedMessage[],
): void {
  if (move.propagate_mode !== 'change_all') return;
  const { topic, channel } = limitsOf(realm, user, move);
  const limits = [topic, channel].filter((limit) => limit !== null);
  if (limits.length === 0) return;
  const oldest = now - Math.min(...limits) - GRACE_SECONDS;
  const allowed = messages.filter(({ sent_at }) => sent_at >= oldest);
  const [first] = allowed;
  if (!first || allowed.length === messages.length) return;
  throw new ApiError('MOVE_MESSAGES_TIME_LIMIT_EXCEEDED', {
    message: `You only have permission to move the ${allowed.length} newest of the ${messages.length} messages in this topic.`,
    data: {
      first_message_id_allowed_to_move: first.id,
      total_messages_in_topic: messages.length,
      total_messages_allowed_to_move: allowed.length,
    },
  });
}

/** The time limits of a move in seconds; null where there is none, as for the mark of a resolved topic. */
function limitsOf(
  realm: Realm,
  { role }: User,
  { topicChanges, channelChanges, resolution }: Move,
) {
  const settings = settingsOf(realm);
  const isUnlimited = role <= roles.moderator;
  const renames = topicChanges && resolution === undefined;
  return {
    topic: isUnlimited || !renames ? null : settings.move_messages_within_stream_limit_seconds,
    channel:
      isUnlimited || !channelChanges ? null : settings.move_messages_between_streams_limit_seconds,
  };
}

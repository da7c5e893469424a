import {
  ApiError,
  badRequest,
  type ChannelGroupSetting,
  type RealmGroupSetting,
  roles,
} from '@bellhop/protocol';

import type { Db } from '../../../engine/call.ts';
import type { Realm, User } from '../../../engine/caller.ts';
import type { ChannelRow } from '../../channels/channel-rows.ts';
import { settingsOf } from '../../realms/realm-settings.ts';
import { isInGroup } from '../../user-groups/access.ts';
import type { ChangeableMessage } from '../changeable-message.ts';
import { GRACE_SECONDS } from '../edit/edit-content.ts';
import type { Move } from './plan-move.ts';
import type { MovedMessage } from './queries.ts';

interface Moving {
  readonly realm: Realm;
  readonly user: User;
  /** UNIX time in seconds. */
  readonly now: number;
  readonly target: ChangeableMessage;
}

/**
 * Throws BAD_REQUEST if the user may not move a message. Changing the topic needs a permission of the
 * realm or of either channel; changing the channel needs one of the realm or of the channel the
 * message leaves. Administrators of the realm or of these channels have every permission. Time limits
 * apply to members and guests, and not to resolving a topic.
 */
export async function requireCanMove(
  db: Db,
  { realm, user, now, target }: Moving,
  move: Move,
): Promise<void> {
  const { from, to, topicChanges, channelChanges, resolution } = move;
  const isPermitted = permissionsOf(db, { realm, user });
  const limits = limitsOf(realm, user, move);
  const isOlderThan = (limit: number | null) =>
    limit !== null && now - target.sent_at > limit + GRACE_SECONDS;
  if (resolution !== undefined) {
    if (
      !(await isPermitted('can_resolve_topics_group', 'can_resolve_topics_group', [
        from.channel,
        to.channel,
      ]))
    )
      throw badRequest("You don't have permission to resolve topics in this channel.");
  } else if (topicChanges) {
    const within = 'can_move_messages_within_channel_group';
    if (
      !(await isPermitted('can_move_messages_between_topics_group', within, [
        from.channel,
        to.channel,
      ]))
    )
      throw badRequest("You don't have permission to edit this message");
    if (isOlderThan(limits.topic))
      throw badRequest("The time limit for editing this message's topic has passed.");
  }
  if (!channelChanges) return;
  const out = 'can_move_messages_out_of_channel_group';
  if (!(await isPermitted('can_move_messages_between_channels_group', out, [from.channel])))
    throw badRequest("You don't have permission to move this message");
  if (isOlderThan(limits.channel))
    throw badRequest("The time limit for editing this message's channel has passed");
}

/** Throws MOVE_MESSAGES_TIME_LIMIT_EXCEEDED if a whole topic moves and some messages are too old. */
export function requireWithinTimeLimit(
  { realm, user, now }: Moving,
  move: Move,
  messages: readonly MovedMessage[],
): void {
  if (move.propagate_mode !== 'change_all' || move.resolution !== undefined) return;
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

/** The time limits of a move in seconds; null where there is none. */
function limitsOf(realm: Realm, { role }: User, { topicChanges, channelChanges }: Move) {
  const settings = settingsOf(realm);
  const isUnlimited = role <= roles.moderator;
  return {
    topic: isUnlimited || !topicChanges ? null : settings.move_messages_within_stream_limit_seconds,
    channel:
      isUnlimited || !channelChanges ? null : settings.move_messages_between_streams_limit_seconds,
  };
}

const permissionsOf =
  (db: Db, { realm, user }: { realm: Realm; user: User }) =>
  async (
    ofRealm: RealmGroupSetting,
    ofChannel: ChannelGroupSetting,
    channels: readonly ChannelRow[],
  ): Promise<boolean> => {
    if (user.role <= roles.admin) return true;
    const groups = channels.flatMap((channel) => [
      channel.can_administer_channel_group,
      channel[ofChannel],
    ]);
    for (const group of new Set([realm.group_settings[ofRealm], ...groups]))
      if (await isInGroup(db, user, group)) return true;
    return false;
  };

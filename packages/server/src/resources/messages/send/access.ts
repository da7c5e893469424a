import { ApiError, badRequest, type UserGroupId } from '@bellhop/protocol';

import type { Db } from '../../../engine/call.ts';
import type { Realm, User } from '../../../engine/caller.ts';
import { isInGroup } from '../../user-groups/access.ts';

/** A wildcard mention that notifies more users needs a permission of the realm. */
const MAX_WITHOUT_PERMISSION = 15;

interface Wildcards {
  readonly channel_wildcard: boolean;
  readonly topic_wildcard: boolean;
}

/**
 * Throws STREAM_ or TOPIC_WILDCARD_MENTION_NOT_ALLOWED. `notified` counts the users whom each wildcard
 * would notify.
 */
export async function requireCanMentionWildcard(
  db: Db,
  { realm, sender }: { realm: Realm; sender: User },
  { channel_wildcard, topic_wildcard }: Wildcards,
  notified: { readonly subscribers: number; readonly participants: number },
): Promise<void> {
  const many =
    (channel_wildcard && notified.subscribers > MAX_WITHOUT_PERMISSION) ||
    (topic_wildcard && notified.participants > MAX_WITHOUT_PERMISSION);
  if (!many || (await isInGroup(db, sender, realm.group_settings.can_mention_many_users_group)))
    return;
  throw new ApiError(
    channel_wildcard && notified.subscribers > MAX_WITHOUT_PERMISSION
      ? 'STREAM_WILDCARD_MENTION_NOT_ALLOWED'
      : 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
  );
}

interface Conversation {
  readonly participants: readonly User[];
  readonly is_new: boolean;
}

/** Throws BAD_REQUEST if the realm does not allow this direct message. Messages of and to bots are. */
export async function requireCanWriteTo(
  db: Db,
  { realm, sender }: { realm: Realm; sender: User },
  { participants, is_new }: Conversation,
): Promise<void> {
  if (sender.is_bot) return;
  const others = participants.filter(({ id }) => id !== sender.id);
  if (others.every(({ is_bot }) => is_bot)) return;
  const { direct_message_permission_group: permission, direct_message_initiator_group: initiator } =
    realm.group_settings;
  if (!(await anyInGroup(db, participants, permission)))
    throw badRequest('Direct messages are disabled in this organization.');
  if (is_new && !(await isInGroup(db, sender, initiator)))
    throw badRequest('You do not have permission to initiate direct message conversations.');
}

async function anyInGroup(db: Db, users: readonly User[], group: UserGroupId): Promise<boolean> {
  for (const user of users) if (await isInGroup(db, user, group)) return true;
  return false;
}

import { ApiError, badRequest, roles, type UserGroupId } from '@bellhop/protocol';

import type { Db } from '../../../engine/call.ts';
import type { Realm, User } from '../../../engine/caller.ts';
import { isInGroup } from '../../user-groups/access.ts';
import { accessibleUsers } from '../../users/access.ts';

/** Above this many readers a wildcard mention needs a permission of the realm. */
const MANY = 15;

interface Wildcards {
  readonly channel_wildcard: boolean;
  readonly topic_wildcard: boolean;
}

/** Throws STREAM_ or TOPIC_WILDCARD_MENTION_NOT_ALLOWED. Counts are of those who would be told. */
export async function requireCanMentionAll(
  db: Db,
  { realm, sender }: { realm: Realm; sender: User },
  { channel_wildcard, topic_wildcard }: Wildcards,
  readers: { readonly subscribers: number; readonly participants: number },
): Promise<void> {
  const many =
    (channel_wildcard && readers.subscribers > MANY) ||
    (topic_wildcard && readers.participants > MANY);
  if (!many || (await isInGroup(db, sender, realm.group_settings.can_mention_many_users_group)))
    return;
  throw new ApiError(
    channel_wildcard && readers.subscribers > MANY
      ? 'STREAM_WILDCARD_MENTION_NOT_ALLOWED'
      : 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
  );
}

interface Conversation {
  readonly participants: readonly User[];
  readonly is_new: boolean;
}

/** Throws BAD_REQUEST where the realm does not let these people write to each other. */
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

/** Throws BAD_REQUEST where a guest writes to somebody they may not see. */
export async function requireCanSee(
  db: Db,
  { realm, sender }: { realm: Realm; sender: User },
  people: readonly User[],
): Promise<void> {
  if (sender.role < roles.guest) return;
  if (await isInGroup(db, sender, realm.group_settings.can_access_all_users_group)) return;
  const seen = await accessibleUsers(db, { realm, viewer: sender });
  const ids = new Set(seen.map(({ id }) => id));
  if (people.some(({ id, is_system_bot }) => !is_system_bot && !ids.has(id)))
    throw badRequest('You do not have permission to access some of the recipients.');
}

async function anyInGroup(db: Db, users: readonly User[], group: UserGroupId): Promise<boolean> {
  for (const user of users) if (await isInGroup(db, user, group)) return true;
  return false;
}

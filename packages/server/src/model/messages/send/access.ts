import { ApiError, badRequest } from '@bellhop/protocol';

import type { Db } from '../../../engine/call.ts';
import type { Realm, User } from '../../../engine/caller.ts';
import { isInGroup } from '../../user-groups/access.ts';
import type { DirectConversation } from './direct-conversations.ts';

/** A wildcard mention that notifies more users needs a permission of the realm. */
export const MAX_UNASKED = 15;

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
    (channel_wildcard && notified.subscribers > MAX_UNASKED) ||
    (topic_wildcard && notified.participants > MAX_UNASKED);
  if (!many || (await isInGroup(db, sender, realm.group_settings.can_mention_many_users_group)))
    return;
  throw new ApiError(
    channel_wildcard && notified.subscribers > MAX_UNASKED
      ? 'STREAM_WILDCARD_MENTION_NOT_ALLOWED'
      : 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
  );
}

/** Throws BAD_REQUEST if the realm does not allow this direct message. Messages of and to bots are. */
export function requireCanWriteTo(
  sender: User,
  participants: readonly User[],
  { recipient_id, is_permitted, may_initiate }: DirectConversation,
): void {
  if (sender.is_bot) return;
  const others = participants.filter(({ id }) => id !== sender.id);
  if (others.every(({ is_bot }) => is_bot)) return;
  if (!is_permitted) throw badRequest('Direct messages are disabled in this organization.');
  if (recipient_id === null && !may_initiate)
    throw badRequest('You do not have permission to initiate direct message conversations.');
}

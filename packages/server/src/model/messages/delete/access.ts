import { badRequest } from '@bellhop/protocol';

import type { Db } from '../../../engine/call.ts';
import type { Actor } from '../../../engine/caller.ts';
import { deletionRights } from '../../channels/access.ts';
import { settingsOf } from '../../realms/realm-settings.ts';
import * as users from '../../users/queries.ts';
import type { ChangeableMessage } from '../changeable-message.ts';

/**
 * Throws BAD_REQUEST if the user may not delete a message. Members of `can_delete_any_message_group`
 * of the realm or the channel may; members of `can_delete_own_message_group` of either may delete
 * their own messages and those of their bots within the realm's time limit.
 */
export async function requireCanDelete(
  db: Db,
  { realm, user, now }: Actor,
  { sender_id, channel, sent_at }: ChangeableMessage,
): Promise<void> {
  const { deletesAny, deletesOwn } = await deletionRights(db, user, channel?.id ?? null);
  if (deletesAny) return;
  const sender = sender_id === user.id ? user : await users.byId(db, realm.id, sender_id);
  const isOwn = sender_id === user.id || sender?.bot_owner_id === user.id;
  if (!isOwn || !deletesOwn) throw badRequest("You don't have permission to delete this message");
  const limit = settingsOf(realm).message_content_delete_limit_seconds;
  if (limit !== null && now - sent_at > limit)
    throw badRequest('The time limit for deleting this message has passed');
}

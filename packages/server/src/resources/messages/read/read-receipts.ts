import { badRequest, type UserId } from '@bellhop/protocol';

import type { Handlers } from '../../../engine/resource.ts';
import { flagBits } from '../../../model/messages/read/flags.ts';
import { readable } from '../../../model/messages/read/readable.ts';
import { recipientFlags } from '../../../model/messages/read/recipient-flags.ts';
import * as mutedUsers from '../../../model/muted-users/queries.ts';
import { settingsOf } from '../../../model/realms/realm-settings.ts';
import { visibleByIds } from '../../../model/users/access.ts';
import { settingOf } from '../../../model/users/user-settings.ts';

/**
 * Leaves out users whom the caller may not see or has muted, and users who have muted the caller.
 */
export const readReceipts: Handlers<'messages'>['readReceipts'] = async (call) => {
  const { db, realm, user, params } = call;
  const message = await readable(db, user, params.message_id);
  if (!message) throw badRequest('Invalid message(s)');
  if (!settingsOf(realm).enable_read_receipts)
    throw badRequest('Read receipts are disabled in this organization.');
  const recipients = await recipientFlags(db, realm.id, message.id);
  const readers = recipients
    .filter(({ flags }) => flags & flagBits.read)
    .map(({ user_id }) => user_id)
    .filter((id) => id !== message.sender_id);
  const shown = await visibleByIds(db, { realm, viewer: user }, readers);
  const muted = await mutedUsers.ofUser(db, user);
  const muting = await mutedUsers.muting(db, user);
  const apart = new Set([...muted.map(({ id }) => id), ...muting]);
  const user_ids: UserId[] = shown
    .filter(
      (reader) =>
        reader.is_active &&
        !apart.has(reader.id) &&
        settingOf('send_read_receipts', { user: reader }),
    )
    .map(({ id }) => id);
  return { user_ids };
};

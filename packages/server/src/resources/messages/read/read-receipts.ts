import { badRequest, type UserId } from '@bellhop/protocol';

import type { Handlers } from '../../../engine/resource.ts';
import { settingsOf } from '../../realms/realm-settings.ts';
import { visibleByIds } from '../../users/access.ts';
import { settingOf } from '../../users/user-settings.ts';
import { flagBits } from './flags.ts';
import { readable } from './readable.ts';
import { recipientFlags } from './recipient-flags.ts';

/** Users whom the caller may not see are left out. */
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
  const user_ids: UserId[] = shown
    .filter((reader) => reader.is_active && settingOf('send_read_receipts', { user: reader }))
    .map(({ id }) => id);
  return { user_ids };
};

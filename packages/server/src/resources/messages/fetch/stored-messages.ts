import type { UserId } from '@bellhop/protocol';

import type { User } from '../../../engine/caller.ts';
import * as users from '../../users/queries.ts';
import { type StoredMessage, storedMessage } from '../presented-message.ts';
import type { Seeker } from './narrow/narrow-term.ts';
import type { PageRow } from './page.ts';

/** Joins rows with their senders and participants, who are read in one statement. */
export async function storedMessages(
  { db, realm }: Seeker,
  rows: readonly PageRow[],
): Promise<StoredMessage[]> {
  const ids = new Set(rows.flatMap(({ sender_id, user_ids }) => [sender_id, ...(user_ids ?? [])]));
  if (ids.size === 0) return [];
  const found = await users.byIds(db, realm.id, [...ids]);
  const known = new Map(found.map((user) => [user.id, user]));
  return rows.map((row) => {
    const { sender_id, channel_name, user_ids } = row;
    const place = channel_name ?? (user_ids ?? []).map((id) => userOf(known, id));
    return storedMessage(row, { realm, sender: userOf(known, sender_id), place });
  });
}

function userOf(known: ReadonlyMap<UserId, User>, id: UserId): User {
  const user = known.get(id);
  if (!user) throw new Error(`User ${id} of a message is not in its realm`);
  return user;
}

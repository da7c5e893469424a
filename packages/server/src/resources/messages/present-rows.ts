import type { Db } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import * as users from '../users/queries.ts';
import type { MessageRow, PresentedMessage } from './message.ts';
import { presentedMessage } from './presented-message.ts';

interface PresentedRow {
  readonly message: PresentedMessage;
  /** Empty for channel messages. */
  readonly participants: readonly User[];
}

/** Presents rows in their order. Reads all senders and participants in one statement. */
export async function presentRows(
  db: Db,
  realm: Realm,
  rows: readonly MessageRow[],
): Promise<PresentedRow[]> {
  const ids = new Set(rows.flatMap(({ sender_id, user_ids }) => [sender_id, ...(user_ids ?? [])]));
  if (ids.size === 0) return [];
  const found = await users.byIds(db, realm.id, [...ids]);
  const byId = new Map(found.map((user) => [user.id, user]));
  const userOf = (id: User['id']) => {
    const user = byId.get(id);
    if (!user) throw new Error(`User ${id} of a message is not in its realm`);
    return user;
  };
  return rows.map((row) => {
    const participants = (row.user_ids ?? []).map(userOf);
    const sender = userOf(row.sender_id);
    return { message: presentedMessage(row, { realm, sender, participants }), participants };
  });
}

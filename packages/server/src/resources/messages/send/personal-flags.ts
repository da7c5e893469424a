import type { RealmId } from '@bellhop/protocol';

import type { Db } from '../../../engine/call.ts';
import { findAlerted } from '../../alert-words/find-alerted.ts';
import { muting } from '../../muted-users/queries.ts';
import type { RenderedMessage } from '../message.ts';
import { flagBits } from '../read/flags.ts';

/**
 * Adds the flags that depend on what single recipients have set: `has_alert_word`, and `read` for
 * those who have muted the sender. Two queries for all messages.
 */
export async function withPersonalFlags(
  db: Db,
  realm: RealmId,
  messages: readonly RenderedMessage[],
): Promise<RenderedMessage[]> {
  const contents = messages.map(({ row }) => row.content);
  const senders = [...new Set(messages.map(({ row }) => row.sender_id))];
  const [alerted, mutedBy] = await Promise.all([
    findAlerted(db, realm, contents),
    muting(db, realm, senders),
  ]);
  return messages.map((message, at) => {
    const readers = mutedBy.get(message.row.sender_id);
    const alertedUsers = alerted[at];
    if (!readers && !alertedUsers?.size) return message;
    const flags = message.recipients.map(
      (id, index) =>
        (message.flags[index] ?? 0) |
        (readers?.has(id) ? flagBits.read : 0) |
        (alertedUsers?.has(id) ? flagBits.has_alert_word : 0),
    );
    return { ...message, flags };
  });
}

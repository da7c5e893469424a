import type { MessageId, RealmId, UserId } from '@bellhop/protocol';
import { sql } from 'kysely';

import type { Db, Tx } from '../../../engine/call.ts';
import type { User } from '../../../engine/caller.ts';
import { flagBits } from './flags.ts';

export interface RecipientFlags {
  readonly user_id: UserId;
  readonly flags: number;
}

/** Replaces the bits of `mask` in the flags of a message's recipients. */
export async function setFlags(
  tx: Tx,
  { realm, id, mask }: { realm: RealmId; id: MessageId; mask: number },
  recipients: readonly RecipientFlags[],
): Promise<void> {
  await sql`update user_message um set flags = (um.flags & ~${mask}::integer) | r.flags
    from unnest(${recipients.map(({ user_id }) => user_id)}::bigint[],
      ${recipients.map(({ flags }) => flags)}::integer[]) r (user_id, flags)
    where um.realm_id = ${realm} and um.message_id = ${id} and um.user_id = r.user_id
      and um.flags & ${mask}::integer <> r.flags`.execute(tx);
}

/** The recipients of a message with their flags. */
export const recipientFlags = (db: Db, realm: RealmId, id: MessageId): Promise<RecipientFlags[]> =>
  db
    .selectFrom('user_message')
    .select(['user_id', 'flags'])
    .where('realm_id', '=', realm)
    .where('message_id', '=', id)
    .orderBy('user_id')
    .execute();

/** Adds flags of a recipient to a message: sent together with the commit. */
export function addFlags(
  tx: Tx,
  { id, realm_id }: Pick<User, 'id' | 'realm_id'>,
  message_id: MessageId,
  bits: number,
): void {
  tx.last(
    tx
      .updateTable('user_message')
      .set({ flags: sql<number>`flags | ${bits}` })
      .where('realm_id', '=', realm_id)
      .where('user_id', '=', id)
      .where('message_id', '=', message_id),
  );
}

/** Makes a user who may read a message, but was no recipient, a recipient with a historical message. */
export async function addToHistory(
  tx: Tx,
  realm_id: RealmId,
  received: { user_id: UserId; message_id: MessageId },
): Promise<void> {
  await tx
    .insertInto('user_message')
    .values({ realm_id, ...received, flags: flagBits.read | flagBits.historical })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

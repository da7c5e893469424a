import type { MessageId, RealmId } from '@bellhop/protocol';
import { sql } from 'kysely';

import type { Tx } from '../../../engine/call.ts';

/** Deletes messages for all their recipients. */
export async function deleteMessages(
  tx: Tx,
  realm: RealmId,
  ids: readonly MessageId[],
): Promise<void> {
  await sql`delete from user_message
    where realm_id = ${realm} and message_id = any(${ids}::bigint[])`.execute(tx);
  await sql`delete from message
    where realm_id = ${realm} and id = any(${ids}::bigint[])`.execute(tx);
}

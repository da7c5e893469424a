import type { ChannelId, MessageId, RealmId } from '@bellhop/protocol';
import { sql } from 'kysely';

import type { Tx } from '../../engine/call.ts';

interface Begun {
  readonly id: ChannelId;
  readonly name: string;
  readonly first_message_id: MessageId | null;
}

/** Finds the first message of these channels anew; returns those where it is another one now. */
export async function renewFirstMessages(
  tx: Tx,
  realm: RealmId,
  ids: readonly ChannelId[],
): Promise<Begun[]> {
  const { rows } = await sql<Begun>`
    update channel c set first_message_id = f.message_id from (
      select r.channel_id, (select m.id from message m where m.recipient_id = r.id
        order by m.id limit 1) as message_id
      from recipient r where r.realm_id = ${realm} and r.channel_id = any(${ids}::bigint[])
    ) f
    where c.id = f.channel_id and c.first_message_id is distinct from f.message_id
    returning c.id, c.name, c.first_message_id`.execute(tx);
  return rows;
}

/** Records the first message of a channel that had none. */
export async function setFirstMessage(tx: Tx, id: ChannelId, message: MessageId): Promise<void> {
  await tx
    .updateTable('channel')
    .set({ first_message_id: message })
    .where('id', '=', id)
    .where('first_message_id', 'is', null)
    .execute();
}

import type { ChannelId, MessageId, RealmId } from '@bellhop/protocol';
import { sql } from 'kysely';

import type { Tx } from '../../engine/call.ts';

/** With which message a channel begins; null for an empty one. */
export interface ChannelStart {
  readonly id: ChannelId;
  readonly name: string;
  readonly first_message_id: MessageId | null;
}

/** Finds the first messages of channels again; returns the channels whose first message changed. */
export async function renewFirstMessages(
  tx: Tx,
  realm: RealmId,
  ids: readonly ChannelId[],
): Promise<ChannelStart[]> {
  const { rows } = await sql<ChannelStart>`
    update channel c set first_message_id = f.message_id from (
      select r.channel_id, (select m.id from message m
        where m.realm_id = ${realm} and m.recipient_id = r.id
        order by m.id limit 1) as message_id
      from recipient r where r.realm_id = ${realm} and r.channel_id = any(${ids}::bigint[])
    ) f
    where c.realm_id = ${realm} and c.id = f.channel_id
      and c.first_message_id is distinct from f.message_id
    returning c.id, c.name, c.first_message_id`.execute(tx);
  return rows;
}

/** Records the first message of a channel. Returns false if it has one already. */
export async function setFirstMessage(
  tx: Tx,
  realm: RealmId,
  { id, first_message_id }: { id: ChannelId; first_message_id: MessageId },
): Promise<boolean> {
  const updated = await tx
    .updateTable('channel')
    .set({ first_message_id })
    .where('realm_id', '=', realm)
    .where('id', '=', id)
    .where('first_message_id', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return updated !== undefined;
}

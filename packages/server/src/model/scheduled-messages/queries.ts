import type { RealmId, ScheduledMessageId, ChannelId, UserId } from '@bellhop/protocol';
import type { Insertable, Selectable, Updateable, Generated } from 'kysely';

import type { Db, Tx } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';
import type { Tables } from '../../engine/tables.ts';

declare module '../../engine/tables.ts' {
  interface Tables {
    scheduled_message: {
      realm_id: RealmId;
      id: Generated<ScheduledMessageId>;
      sender_id: UserId;
      client: string;
      channel_id: ChannelId | null;
      user_ids: UserId[] | null;
      topic: string;
      content: string;
      rendered_content: string;
      deliver_at: number;
      read_by_sender: boolean;
      failure: string | null;
    };
  }
}

type Table = Tables['scheduled_message'];
export type ScheduledRow = Selectable<Table>;
type Sender = Pick<User, 'id' | 'realm_id'>;
type Key = Pick<ScheduledRow, 'realm_id' | 'id'>;

/** The scheduled messages of a user, in the order in which they are due. */
export const ofUser = (db: Db, { id, realm_id }: Sender): Promise<ScheduledRow[]> =>
  db
    .selectFrom('scheduled_message')
    .selectAll()
    .where('realm_id', '=', realm_id)
    .where('sender_id', '=', id)
    .orderBy('deliver_at')
    .orderBy('id')
    .execute();

/** A scheduled message, locked against being edited and sent by others until the commit. */
export const lock = (
  tx: Tx,
  realm_id: RealmId,
  id: ScheduledMessageId,
): Promise<ScheduledRow | undefined> =>
  tx
    .selectFrom('scheduled_message')
    .selectAll()
    .where('realm_id', '=', realm_id)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();

export const insert = (tx: Tx, row: Insertable<Table>): Promise<ScheduledRow> =>
  tx.insertInto('scheduled_message').values(row).returningAll().executeTakeFirstOrThrow();

export const update = (
  tx: Tx,
  { realm_id, id }: Key,
  changes: Updateable<Table>,
): Promise<ScheduledRow> =>
  tx
    .updateTable('scheduled_message')
    .set(changes)
    .where('realm_id', '=', realm_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();

export async function remove(tx: Tx, { realm_id, id }: Key): Promise<void> {
  await tx
    .deleteFrom('scheduled_message')
    .where('realm_id', '=', realm_id)
    .where('id', '=', id)
    .execute();
}

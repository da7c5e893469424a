import type { RealmId, ReminderId, MessageId, UserId } from '@bellhop/protocol';
import type { Insertable, Selectable, Generated } from 'kysely';

import type { Db, Tx } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';
import type { Tables } from '../../engine/tables.ts';

declare module '../../engine/tables.ts' {
  interface Tables {
    reminder: {
      realm_id: RealmId;
      id: Generated<ReminderId>;
      user_id: UserId;
      message_id: MessageId;
      note: string;
      content: string;
      rendered_content: string;
      deliver_at: number;
      failed: Generated<boolean>;
    };
  }
}

type Table = Tables['reminder'];
export type ReminderRow = Selectable<Table>;

/** The reminders of a user, in the order in which they are due. */
export const ofUser = (
  db: Db,
  { id, realm_id }: Pick<User, 'id' | 'realm_id'>,
): Promise<ReminderRow[]> =>
  db
    .selectFrom('reminder')
    .selectAll()
    .where('realm_id', '=', realm_id)
    .where('user_id', '=', id)
    .orderBy('deliver_at')
    .orderBy('id')
    .execute();

/** A reminder, locked against being deleted and sent by others until the commit. */
export const lock = (tx: Tx, realm_id: RealmId, id: ReminderId): Promise<ReminderRow | undefined> =>
  tx
    .selectFrom('reminder')
    .selectAll()
    .where('realm_id', '=', realm_id)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();

export const insert = (tx: Tx, row: Insertable<Table>): Promise<ReminderRow> =>
  tx.insertInto('reminder').values(row).returningAll().executeTakeFirstOrThrow();

export async function markFailed(tx: Tx, { realm_id, id }: ReminderRow): Promise<void> {
  await tx
    .updateTable('reminder')
    .set({ failed: true })
    .where('realm_id', '=', realm_id)
    .where('id', '=', id)
    .execute();
}

export async function remove(tx: Tx, { realm_id, id }: ReminderRow): Promise<void> {
  await tx.deleteFrom('reminder').where('realm_id', '=', realm_id).where('id', '=', id).execute();
}

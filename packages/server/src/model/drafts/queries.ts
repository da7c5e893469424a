import type { DraftId, ChannelId, Draft, RealmId, UserId } from '@bellhop/protocol';
import type { Selectable, Generated } from 'kysely';

import type { Db, Tx } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';
import type { Tables } from '../../engine/tables.ts';
import { removesRow } from '../removes-row.ts';

declare module '../../engine/tables.ts' {
  interface Tables {
    draft: {
      realm_id: RealmId;
      id: Generated<DraftId>;
      user_id: UserId;
      type: Draft['type'];
      channel_id: ChannelId | null;
      user_ids: UserId[] | null;
      topic: string;
      content: string;
      edited_at: number;
    };
  }
}

type Owner = Pick<User, 'id' | 'realm_id'>;
export type DraftRow = Selectable<Tables['draft']>;
/** A draft as it is written. */
export type DraftValues = Omit<DraftRow, 'realm_id' | 'user_id' | 'id'>;

/** The drafts of a user, oldest edit first. */
export const ofUser = (db: Db, { id, realm_id }: Owner): Promise<DraftRow[]> =>
  db
    .selectFrom('draft')
    .selectAll()
    .where('realm_id', '=', realm_id)
    .where('user_id', '=', id)
    .orderBy('edited_at')
    .orderBy('id')
    .execute();

/** Adds a draft. Returns its row. */
export const insert = (tx: Tx, { id, realm_id }: Owner, values: DraftValues): Promise<DraftRow> =>
  tx
    .insertInto('draft')
    .values({ realm_id, user_id: id, ...values })
    .returningAll()
    .executeTakeFirstOrThrow();

/** Replaces a draft. Returns its row; undefined if the user has no such draft. */
export const update = (
  tx: Tx,
  { id, realm_id }: Owner,
  draft: DraftId,
  values: DraftValues,
): Promise<DraftRow | undefined> =>
  tx
    .updateTable('draft')
    .set(values)
    .where('realm_id', '=', realm_id)
    .where('user_id', '=', id)
    .where('id', '=', draft)
    .returningAll()
    .executeTakeFirst();

/** Whether the user had such a draft. */
export const remove = (tx: Tx, { id, realm_id }: Owner, draft: DraftId): Promise<boolean> =>
  removesRow(
    tx
      .deleteFrom('draft')
      .where('realm_id', '=', realm_id)
      .where('user_id', '=', id)
      .where('id', '=', draft),
  );

/** Removes the drafts of a user. */
export async function removeAll(tx: Tx, { id, realm_id }: Owner): Promise<void> {
  await tx.deleteFrom('draft').where('realm_id', '=', realm_id).where('user_id', '=', id).execute();
}

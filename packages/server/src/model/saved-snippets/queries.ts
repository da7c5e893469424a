import type { SavedSnippet, SavedSnippetId, RealmId, UserId } from '@bellhop/protocol';
import type { Generated } from 'kysely';

import type { Db, Tx } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';
import { removesRow } from '../removes-row.ts';

declare module '../../engine/tables.ts' {
  interface Tables {
    saved_snippet: {
      realm_id: RealmId;
      id: Generated<SavedSnippetId>;
      user_id: UserId;
      title: string;
      content: string;
      date_created: number;
    };
  }
}

type Owner = Pick<User, 'id' | 'realm_id'>;
const columns = ['id', 'title', 'content', 'date_created'] as const;

/** The saved snippets of a user, oldest first. */
export const ofUser = (db: Db, { id, realm_id }: Owner): Promise<SavedSnippet[]> =>
  db
    .selectFrom('saved_snippet')
    .select(columns)
    .where('realm_id', '=', realm_id)
    .where('user_id', '=', id)
    .orderBy('id')
    .execute();

export const insert = (
  tx: Tx,
  { id: user_id, realm_id }: Owner,
  values: Omit<SavedSnippet, 'id'>,
): Promise<SavedSnippet> =>
  tx
    .insertInto('saved_snippet')
    .values({ realm_id, user_id, ...values })
    .returning(columns)
    .executeTakeFirstOrThrow();

/** Changes a snippet. Returns it; undefined if the user has no such snippet. */
export const update = (
  tx: Tx,
  { id: user_id, realm_id }: Owner,
  { id, ...changes }: Pick<SavedSnippet, 'id'> & Partial<Pick<SavedSnippet, 'title' | 'content'>>,
): Promise<SavedSnippet | undefined> =>
  tx
    .updateTable('saved_snippet')
    .set(changes)
    .where('realm_id', '=', realm_id)
    .where('user_id', '=', user_id)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirst();

/** Whether the user had such a snippet. */
export const remove = (
  tx: Tx,
  { id: user_id, realm_id }: Owner,
  id: SavedSnippetId,
): Promise<boolean> =>
  removesRow(
    tx
      .deleteFrom('saved_snippet')
      .where('realm_id', '=', realm_id)
      .where('user_id', '=', user_id)
      .where('id', '=', id),
  );

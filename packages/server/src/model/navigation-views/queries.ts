import type { NavigationView, RealmId, UserId } from '@bellhop/protocol';
import type { Generated } from 'kysely';

import type { Db, Tx } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';
import { removesRow } from '../removes-row.ts';

declare module '../../engine/tables.ts' {
  interface Tables {
    navigation_view: {
      realm_id: RealmId;
      user_id: UserId;
      fragment: string;
      id: Generated<number>;
      is_pinned: boolean;
      name: string | null;
    };
  }
}

type Owner = Pick<User, 'id' | 'realm_id'>;

/** The navigation views of a user, oldest first. */
export const ofUser = (db: Db, { id, realm_id }: Owner): Promise<NavigationView[]> =>
  db
    .selectFrom('navigation_view')
    .select(['fragment', 'is_pinned', 'name'])
    .where('realm_id', '=', realm_id)
    .where('user_id', '=', id)
    .orderBy('id')
    .execute();

export async function insert(
  tx: Tx,
  { id: user_id, realm_id }: Owner,
  { fragment, is_pinned, name }: NavigationView,
): Promise<void> {
  await tx
    .insertInto('navigation_view')
    .values({ realm_id, user_id, fragment, is_pinned, name })
    .execute();
}

export async function update(
  tx: Tx,
  { id, realm_id }: Owner,
  { fragment, is_pinned, name }: NavigationView,
): Promise<void> {
  await tx
    .updateTable('navigation_view')
    .set({ is_pinned, name })
    .where('realm_id', '=', realm_id)
    .where('user_id', '=', id)
    .where('fragment', '=', fragment)
    .execute();
}

/** Whether the user had such a view. */
export const remove = (tx: Tx, { id, realm_id }: Owner, fragment: string): Promise<boolean> =>
  removesRow(
    tx
      .deleteFrom('navigation_view')
      .where('realm_id', '=', realm_id)
      .where('user_id', '=', id)
      .where('fragment', '=', fragment),
  );

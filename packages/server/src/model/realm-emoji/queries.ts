import type { RealmEmoji, RealmId, UserId } from '@bellhop/protocol';
import { type Insertable, sql, type Generated } from 'kysely';

import type { Db, Tx } from '../../engine/call.ts';
import type { Tables } from '../../engine/tables.ts';
import { pathsOf, sourcePath } from './emoji-paths.ts';

declare module '../../engine/tables.ts' {
  interface Tables {
    realm_emoji: {
      realm_id: RealmId;
      id: Generated<number>;
      name: string;
      author_id: UserId;
      is_active: Generated<boolean>;
      media_type: 'image/png' | 'image/gif' | 'image/webp';
      bytes: Buffer;
      still_bytes: Buffer | null;
    };
  }
}

/** All custom emoji of a realm by ID, as the API shows them. */
export async function ofRealm(db: Db, realm_id: RealmId): Promise<Record<string, RealmEmoji>> {
  const rows = await db
    .selectFrom('realm_emoji')
    .select(['id', 'realm_id', 'name', 'author_id', 'is_active', 'media_type'])
    .select(sql<boolean>`still_bytes is not null`.as('is_animated'))
    .where('realm_id', '=', realm_id)
    .orderBy('id')
    .execute();
  return Object.fromEntries(
    rows.map(({ is_animated, ...row }) => {
      const { name, author_id } = row;
      const id = String(row.id);
      const paths = pathsOf(row, is_animated);
      return [id, { id, name, ...paths, deactivated: !row.is_active, author_id }];
    }),
  );
}

/** The paths of the images of the active custom emoji by name. */
export async function activePaths(db: Db, realm_id: RealmId): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('realm_emoji')
    .select(['realm_id', 'id', 'name', 'media_type'])
    .where('realm_id', '=', realm_id)
    .where('is_active', '=', true)
    .orderBy('id')
    .execute();
  return new Map(rows.map((row) => [row.name, sourcePath(row)]));
}

/** The active custom emoji with this name. */
export const activeNamed = (db: Db, realm_id: RealmId, name: string) =>
  db
    .selectFrom('realm_emoji')
    .select(['id', 'author_id'])
    .where('realm_id', '=', realm_id)
    .where('name', '=', name)
    .where('is_active', '=', true)
    .executeTakeFirst();

/** A custom emoji by ID, also a deactivated one. */
export const byId = (db: Db, realm_id: RealmId, id: number) =>
  db
    .selectFrom('realm_emoji')
    .select(['name', 'is_active'])
    .where('realm_id', '=', realm_id)
    .where('id', '=', id)
    .executeTakeFirst();

export const imageOf = (db: Db, realm_id: RealmId, id: number) =>
  db
    .selectFrom('realm_emoji')
    .select(['media_type', 'bytes', 'still_bytes'])
    .where('realm_id', '=', realm_id)
    .where('id', '=', id)
    .executeTakeFirst();

export async function insert(tx: Tx, emoji: Insertable<Tables['realm_emoji']>): Promise<void> {
  await tx.insertInto('realm_emoji').values(emoji).execute();
}

export async function deactivate(tx: Tx, realm_id: RealmId, id: number): Promise<void> {
  await tx
    .updateTable('realm_emoji')
    .set({ is_active: false })
    .where('realm_id', '=', realm_id)
    .where('id', '=', id)
    .execute();
}

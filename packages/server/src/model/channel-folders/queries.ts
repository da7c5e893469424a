import type { ChannelFolder, ChannelFolderId, RealmId, UserId } from '@bellhop/protocol';
import { type Insertable, type Selectable, sql, type Generated } from 'kysely';

import type { Db, Tx } from '../../engine/call.ts';
import type { Tables } from '../../engine/tables.ts';

declare module '../../engine/tables.ts' {
  interface Tables {
    channel_folder: {
      realm_id: RealmId;
      id: Generated<ChannelFolderId>;
      name: string;
      description: string;
      rendered_description: string;
      creator_id: UserId | null;
      date_created: Generated<Date>;
      is_archived: Generated<boolean>;
      position: number;
    };
  }
}

type Row = Selectable<Tables['channel_folder']>;

const recordOf = ({ position, date_created, realm_id: _realm, ...row }: Row): ChannelFolder => ({
  ...row,
  date_created: Math.floor(date_created.getTime() / 1000),
  order: position,
});

/** The channel folders of a realm, oldest first. */
export const ofRealm = async (db: Db, realm_id: RealmId): Promise<ChannelFolder[]> =>
  (
    await db
      .selectFrom('channel_folder')
      .selectAll()
      .where('realm_id', '=', realm_id)
      .orderBy('id')
      .execute()
  ).map(recordOf);

/** Locks a folder against archiving until the commit; undefined if there is none with this id. */
export async function locked(
  tx: Tx,
  realm_id: RealmId,
  id: ChannelFolderId,
): Promise<ChannelFolder | undefined> {
  const row = await tx
    .selectFrom('channel_folder')
    .selectAll()
    .where('realm_id', '=', realm_id)
    .where('id', '=', id)
    .forShare()
    .executeTakeFirst();
  return row && recordOf(row);
}

/** Appends a folder to the others. */
export async function insert(
  tx: Tx,
  row: Omit<Insertable<Tables['channel_folder']>, 'position'>,
): Promise<ChannelFolder> {
  const { position } = await tx
    .selectFrom('channel_folder')
    .select(sql<number>`coalesce(max(position) + 1, 0)`.as('position'))
    .where('realm_id', '=', row.realm_id)
    .executeTakeFirstOrThrow();
  const made = await tx
    .insertInto('channel_folder')
    .values({ ...row, position })
    .returningAll()
    .executeTakeFirstOrThrow();
  return recordOf(made);
}

export type FolderColumns = Partial<
  Pick<Row, 'name' | 'description' | 'rendered_description' | 'is_archived'>
>;

export async function update(
  tx: Tx,
  { realm_id, id }: Pick<Row, 'realm_id' | 'id'>,
  columns: FolderColumns,
): Promise<void> {
  await tx
    .updateTable('channel_folder')
    .set(columns)
    .where('realm_id', '=', realm_id)
    .where('id', '=', id)
    .execute();
}

/** Gives the folders the positions of their ids in the list. */
export async function reorder(
  tx: Tx,
  realm_id: RealmId,
  ids: readonly ChannelFolderId[],
): Promise<void> {
  await sql`update channel_folder set position = array_position(${ids}::bigint[], id) - 1
    where realm_id = ${realm_id}`.execute(tx);
}

import type { RealmId } from '@bellhop/protocol';
import { sql } from 'kysely';

import type { Db, Tx } from '../../engine/call.ts';
import { MissingBytes } from '../../files/file-store.ts';
import * as queries from './queries.ts';
import type { UploadRow } from './queries.ts';

declare module '../../engine/tables.ts' {
  interface Tables {
    loose_object: {
      realm_id: RealmId;
      key: string;
      /** UNIX seconds; 0 for an object that no file may get any more. */
      remove_after: number;
    };
  }
}

type FileKey = Pick<UploadRow, 'id' | 'realm_id'>;
interface ObjectKey {
  readonly realm_id: RealmId;
  readonly key: string;
}

/** Where the bytes of a file are, and what they are. */
export type FilePlace = Pick<UploadRow, 'object_key' | 'sha256'>;

/** Records an object before it is stored: it is removed unless a file gets it before `remove_after`. */
export async function addLooseObject(
  tx: Tx,
  object: ObjectKey & { readonly remove_after: number },
): Promise<void> {
  await tx.insertInto('loose_object').values(object).execute();
}

/** No file gets the object any more. */
export async function giveUpObject(tx: Tx, { realm_id, key }: ObjectKey): Promise<void> {
  await tx
    .updateTable('loose_object')
    .set({ remove_after: 0 })
    .where('realm_id', '=', realm_id)
    .where('key', '=', key)
    .execute();
}

/**
 * Completes the move of a file's bytes into an object: the object is loose no more, and the chunks go.
 * Throws MissingBytes for an object that is being removed.
 */
export async function settleInObject(tx: Tx, file: FileKey, key: string): Promise<void> {
  const claimed = await tx
    .deleteFrom('loose_object')
    .where('realm_id', '=', file.realm_id)
    .where('key', '=', key)
    .where('remove_after', '>', 0)
    .returning('key')
    .executeTakeFirst();
  if (!claimed) throw new MissingBytes(`The object ${key} was given up before its file had it`);
  await queries.removeChunks(tx, file);
}

/**
 * Gives a file that is still where `file` says another place; its object is loose then. Returns whether it is
 * there.
 */
export async function relocate(
  tx: Tx,
  { id, realm_id, object_key }: FileKey & Pick<UploadRow, 'object_key'>,
  place: FilePlace,
): Promise<boolean> {
  const { rows } = await sql`
    with moved as (
      update upload set object_key = ${place.object_key}, sha256 = ${place.sha256}
      where realm_id = ${realm_id} and id = ${id} and is_complete
        and object_key is not distinct from ${object_key}
      returning id
    ), loosened as (
      insert into loose_object (realm_id, key, remove_after)
      select ${realm_id}, ${object_key}, 0 from moved where ${object_key}::text is not null
      on conflict (realm_id, key) do update set remove_after = 0
    )
    select id from moved`.execute(tx);
  return rows.length > 0;
}

/** The realms with objects to be removed. `now` is in UNIX seconds. */
export const realmsWithLooseObjects = async (db: Db, now: number): Promise<RealmId[]> =>
  (
    await db
      .selectFrom('loose_object')
      .select('realm_id')
      .distinct()
      .where('remove_after', '<=', now)
      .execute()
  ).map(({ realm_id }) => realm_id);

/** Some objects of a realm to be removed, which no file may get from now on. `now` is in UNIX seconds. */
export async function takeLooseObjects(tx: Tx, realm: RealmId, now: number): Promise<string[]> {
  const { rows } = await sql<{ readonly key: string }>`
    update loose_object set remove_after = 0
    where realm_id = ${realm} and key in (
      select key from loose_object where realm_id = ${realm} and remove_after <= ${now}
      order by key limit 100 for update)
    returning key`.execute(tx);
  return rows.map(({ key }) => key);
}

/** Forgets objects that the store no longer has. */
export async function forgetObjects(
  tx: Tx,
  realm: RealmId,
  keys: readonly string[],
): Promise<void> {
  await sql`delete from loose_object where realm_id = ${realm} and key = any(${keys}::text[])`.execute(
    tx,
  );
}

/** Where complete files are. */
export type FilePlaceName = 'database' | 's3';

/** Whether any file is in the S3-compatible store. */
export const hasObjects = async (db: Db): Promise<boolean> =>
  (await db
    .selectFrom('upload')
    .select('realm_id')
    .where('object_key', 'is not', null)
    .limit(1)
    .executeTakeFirst()) !== undefined;

export interface FilesCount {
  readonly files: number;
  /** Of all of them. */
  readonly bytes: number;
}

/** How many complete files of all realms are in a store. */
export async function filesIn(db: Db, place: FilePlaceName): Promise<FilesCount> {
  const { rows } = await sql<FilesCount>`
    select count(*) as files, coalesce(sum(size), 0)::bigint as bytes from upload
    where is_complete and ${isIn(place)}`.execute(db);
  const [count] = rows;
  return { files: Number(count?.files ?? 0), bytes: Number(count?.bytes ?? 0) };
}

/** Some complete files of all realms that are in a store, after this one in their order. */
export const someFilesIn = (
  db: Db,
  place: FilePlaceName,
  after: FileKey | undefined,
): Promise<UploadRow[]> =>
  db
    .selectFrom('upload')
    .selectAll()
    .where('is_complete', '=', true)
    .where(isIn(place))
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(realm_id, id) > (${after?.realm_id}, ${after?.id})`),
    )
    .orderBy('realm_id')
    .orderBy('id')
    .limit(100)
    .execute();

const isIn = (place: FilePlaceName) =>
  place === 's3' ? sql<boolean>`object_key is not null` : sql<boolean>`object_key is null`;

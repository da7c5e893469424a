import { MAX_LINKING_MESSAGES, type MessageId, type RealmId, type UserId } from '@bellhop/protocol';
import { type Insertable, type RawBuilder, type Selectable, sql, type Generated } from 'kysely';

import type { Db, Tx } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';
import type { Tables } from '../../engine/tables.ts';
import { messagesOf, withChannels } from '../messages/read/readable.ts';

declare module '../../engine/tables.ts' {
  interface Tables {
    upload: {
      id: Generated<number>;
      realm_id: RealmId;
      owner_id: UserId;
      token: string;
      file_name: string;
      name: string;
      type: string;
      size: Generated<number>;
      is_complete: Generated<boolean>;
      /** UNIX seconds. */
      created_at: number;
      /** UNIX seconds; null while a message links it. */
      unclaimed_since: number | null;
      /** Null for files that are no image, or a damaged one. */
      image_state: Generated<'pending' | 'ready' | null>;
      /** Null until the thumbnails are ready, as are the size in pixels and the frames. */
      image_type: Generated<string | null>;
      image_width: Generated<number | null>;
      image_height: Generated<number | null>;
      image_frames: Generated<number | null>;
      /** The object with the bytes; null while they are chunks, as those of an incomplete file are. */
      object_key: Generated<string | null>;
      /** Null for files of former versions. */
      sha256: Generated<Buffer | null>;
    };
    thumbnail: { realm_id: RealmId; upload_id: number; format: string; bytes: Buffer };
    upload_chunk: { realm_id: RealmId; upload_id: number; number: number; bytes: Buffer };
    upload_message: { realm_id: RealmId; upload_id: number; message_id: MessageId };
  }
}

export type UploadRow = Selectable<Tables['upload']>;

export async function begin(
  tx: Tx,
  row: Omit<Insertable<Tables['upload']>, 'size' | 'is_complete'>,
): Promise<UploadRow> {
  return tx.insertInto('upload').values(row).returningAll().executeTakeFirstOrThrow();
}

export async function storeChunk(tx: Tx, chunk: Tables['upload_chunk']): Promise<void> {
  await tx.insertInto('upload_chunk').values(chunk).execute();
}

/** Adds bytes to an incomplete upload, and to its size. */
export async function addChunk(tx: Tx, chunk: Tables['upload_chunk']): Promise<void> {
  await storeChunk(tx, chunk);
  await tx
    .updateTable('upload')
    .set((row) => ({ size: row('size', '+', chunk.bytes.length) }))
    .where('realm_id', '=', chunk.realm_id)
    .where('id', '=', chunk.upload_id)
    .execute();
}

export async function chunk(
  db: Db,
  { id, realm_id }: Pick<UploadRow, 'id' | 'realm_id'>,
  number: number,
): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('upload_chunk')
    .select('bytes')
    .where('realm_id', '=', realm_id)
    .where('upload_id', '=', id)
    .where('number', '=', number)
    .executeTakeFirst();
  return row?.bytes;
}

export async function removeChunks(
  tx: Tx,
  { id, realm_id }: Pick<UploadRow, 'id' | 'realm_id'>,
): Promise<void> {
  await tx
    .deleteFrom('upload_chunk')
    .where('realm_id', '=', realm_id)
    .where('upload_id', '=', id)
    .execute();
}

/** Marks an upload as complete. */
export async function complete(
  tx: Tx,
  { id, realm_id }: Pick<UploadRow, 'id' | 'realm_id'>,
  columns: Pick<UploadRow, 'size' | 'image_state' | 'object_key' | 'sha256'>,
): Promise<UploadRow> {
  return tx
    .updateTable('upload')
    .set({ ...columns, is_complete: true })
    .where('realm_id', '=', realm_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The total size in bytes of all complete files of a realm, as clients are told it. */
export async function spaceUsed(db: Db, realm: RealmId): Promise<number> {
  const { used } = await db
    .selectFrom('upload')
    .select(({ fn }) => fn.sum<number | null>('size').as('used'))
    .where('realm_id', '=', realm)
    .where('is_complete', '=', true)
    .executeTakeFirstOrThrow();
  return Number(used ?? 0);
}

/** Bytes that a realm and one of its users hold, those of uploads that have not ended included. */
export interface SpaceHeld {
  readonly realm: number;
  readonly user: number;
  /** The bytes of the realm's complete files, as `spaceUsed` counts them. */
  readonly complete: number;
}

export async function spaceHeldWith(db: Db, { id, realm_id }: User): Promise<SpaceHeld> {
  const { rows } = await sql<SpaceHeld>`
    select coalesce(sum(size), 0)::bigint as realm,
      coalesce(sum(size) filter (where is_complete), 0)::bigint as complete,
      (select coalesce(sum(size), 0)::bigint from upload
        where realm_id = ${realm_id} and owner_id = ${id}) as "user"
    from upload where realm_id = ${realm_id}`.execute(db);
  const [held] = rows;
  return {
    realm: Number(held?.realm ?? 0),
    user: Number(held?.user ?? 0),
    complete: Number(held?.complete ?? 0),
  };
}

/** The file at an address; undefined if it does not exist or the user may not download it. */
export const visible = async (
  db: Db,
  user: User,
  { token, file_name }: Pick<UploadRow, 'token' | 'file_name'>,
): Promise<UploadRow | undefined> =>
  (await visibleWhere(db, user, sql`u.token = ${token} and u.file_name = ${file_name}`))[0];

/** The files that the user may download, locked against removal. */
export const visibleByTokens = (
  tx: Tx,
  user: User,
  tokens: readonly string[],
): Promise<UploadRow[]> =>
  visibleWhere(tx, user, sql`u.token = any(${tokens}::text[])`, sql`for no key update of u`);

/** The files that the user may download. */
export const visibleNow = (db: Db, user: User, tokens: readonly string[]): Promise<UploadRow[]> =>
  tokens.length === 0
    ? Promise.resolve([])
    : visibleWhere(db, user, sql`u.token = any(${tokens}::text[])`);

/** The condition that a user may download a file: its owner, and readers of a message that links it. */
async function visibleWhere(
  db: Db,
  user: User,
  which: RawBuilder<unknown>,
  lock: RawBuilder<unknown> = sql``,
): Promise<UploadRow[]> {
  // An array, because the planner would ask `in (select ...)` for each message of the realm.
  const ids = sql`= any(array(select l.message_id from upload_message l
    where l.realm_id = ${user.realm_id} and l.upload_id = u.id))`;
  const { from, allowed } = messagesOf(user, { history: true, ids });
  const { rows } = await sql<UploadRow>`${withChannels(user)}
    select u.* from upload u where u.realm_id = ${user.realm_id} and u.is_complete and ${which}
      and (u.owner_id = ${user.id} or exists (select from ${from} and ${allowed}))
    order by u.id ${lock}`.execute(db);
  return rows;
}

/** A complete file. */
export const byId = (db: Db, realm: RealmId, id: number): Promise<UploadRow | undefined> =>
  db
    .selectFrom('upload')
    .selectAll()
    .where('realm_id', '=', realm)
    .where('id', '=', id)
    .where('is_complete', '=', true)
    .executeTakeFirst();

/** All files of a user, newest first. */
export const ofOwner = (db: Db, { id, realm_id }: User): Promise<UploadRow[]> =>
  db
    .selectFrom('upload')
    .selectAll()
    .where('realm_id', '=', realm_id)
    .where('owner_id', '=', id)
    .where('is_complete', '=', true)
    .orderBy('id', 'desc')
    .execute();

/** The files that these messages link. */
export const linkedBy = (db: Db, realm: RealmId, messages: readonly MessageId[]) =>
  db
    .selectFrom('upload as u')
    .selectAll('u')
    .where('u.realm_id', '=', realm)
    .where(
      sql<boolean>`u.id in (select l.upload_id from upload_message l
        where l.realm_id = ${realm} and l.message_id = any(${messages}::bigint[]))`,
    )
    .orderBy('u.id')
    .forNoKeyUpdate()
    .execute();

interface Link {
  readonly id: MessageId;
  /** UNIX seconds; null for a message that is not stored yet. */
  readonly date_sent: number | null;
}

/** The newest messages that link each of these files, MAX_LINKING_MESSAGES at most, oldest first. */
export async function linksOf(
  db: Db,
  realm: RealmId,
  ids: readonly number[],
): Promise<Map<number, Link[]>> {
  const { rows } = await sql<Link & { readonly upload_id: number }>`
    select l.upload_id, l.message_id as id, m.sent_at as date_sent
    from unnest(${ids}::bigint[]) u (id) cross join lateral (
      select upload_id, message_id from upload_message
      where realm_id = ${realm} and upload_id = u.id
      order by message_id desc limit ${MAX_LINKING_MESSAGES}) l
    left join message m on m.realm_id = ${realm} and m.id = l.message_id
    order by l.message_id`.execute(db);
  return new Map(
    [...Map.groupBy(rows, ({ upload_id }) => upload_id)].map(([upload_id, links]) => [
      upload_id,
      links.map(({ id, date_sent }) => ({ id, date_sent })),
    ]),
  );
}

/** All messages that link one of these files, oldest first. */
export async function linkingAny(
  db: Db,
  realm: RealmId,
  ids: readonly number[],
): Promise<MessageId[]> {
  const rows = await db
    .selectFrom('upload_message')
    .select('message_id')
    .distinct()
    .where('realm_id', '=', realm)
    .where(sql<boolean>`upload_id = any(${ids}::bigint[])`)
    .orderBy('message_id')
    .execute();
  return rows.map(({ message_id }) => message_id);
}

/** Records that a message links these files. */
export async function link(
  tx: Tx,
  realm_id: RealmId,
  message_id: MessageId,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .insertInto('upload_message')
    .values(ids.map((upload_id) => ({ realm_id, upload_id, message_id })))
    .execute();
  await tx
    .updateTable('upload')
    .set({ unclaimed_since: null })
    .where('realm_id', '=', realm_id)
    .where(sql<boolean>`id = any(${ids}::bigint[])`)
    .execute();
}

interface RemovedLinks {
  readonly messages: readonly MessageId[];
  readonly ids: readonly number[];
  /** UNIX seconds. */
  readonly now: number;
}

/** Records that these messages no longer link these files. */
export async function unlink(
  tx: Tx,
  realm_id: RealmId,
  { messages, ids, now }: RemovedLinks,
): Promise<void> {
  if (ids.length === 0) return;
  await sql`delete from upload_message where realm_id = ${realm_id}
    and message_id = any(${messages}::bigint[]) and upload_id = any(${ids}::bigint[])`.execute(tx);
  await sql`update upload u set unclaimed_since = ${now} where realm_id = ${realm_id}
    and u.id = any(${ids}::bigint[])
    and not exists (select from upload_message l
      where l.realm_id = u.realm_id and l.upload_id = u.id)`.execute(tx);
}

interface RemovedUpload {
  readonly id: number;
  readonly owner_id: UserId;
  readonly is_complete: boolean;
}

/** Removes files with their bytes; their objects are loose then. Returns the removed files with their owners. */
export async function remove(
  tx: Tx,
  realm: RealmId,
  ids: readonly number[],
): Promise<RemovedUpload[]> {
  const { rows } = await sql<RemovedUpload>`
    with gone as (
      delete from upload where realm_id = ${realm} and id = any(${ids}::bigint[])
      returning id, owner_id, is_complete, object_key
    ), loosened as (
      insert into loose_object (realm_id, key, remove_after)
      select ${realm}, object_key, 0 from gone where object_key is not null
      on conflict (realm_id, key) do update set remove_after = 0
    )
    select id, owner_id, is_complete from gone`.execute(tx);
  return rows;
}

interface Abandoned {
  /** UNIX seconds: files that no message has linked since then. */
  readonly unclaimedBefore: number;
  /** UNIX seconds: incomplete uploads that started before then. */
  readonly begunBefore: number;
}

const isAbandoned = ({ unclaimedBefore, begunBefore }: Abandoned) =>
  sql<boolean>`unclaimed_since is not null and (unclaimed_since < ${unclaimedBefore}
    or not is_complete and created_at < ${begunBefore})`;

/** The realms with expired files. */
export const realmsWithAbandoned = async (db: Db, abandoned: Abandoned): Promise<RealmId[]> =>
  (
    await db
      .selectFrom('upload')
      .select('realm_id')
      .distinct()
      .where(isAbandoned(abandoned))
      .execute()
  ).map(({ realm_id }) => realm_id);

/**
 * Gives expired files another term if a draft, scheduled message or saved snippet of their owner links
 * them: nobody else may attach them. A link holds the token of the file.
 */
export async function renewUsed(
  tx: Tx,
  realm: RealmId,
  { unclaimedBefore, now }: Pick<Abandoned, 'unclaimedBefore'> & { readonly now: number },
): Promise<void> {
  await sql`update upload u set unclaimed_since = ${now}
    where u.realm_id = ${realm} and u.is_complete and u.unclaimed_since < ${unclaimedBefore}
      and (exists (select from draft d where d.realm_id = ${realm}
          and d.user_id = u.owner_id and strpos(d.content, u.token) > 0)
        or exists (select from scheduled_message s where s.realm_id = ${realm}
          and s.sender_id = u.owner_id and strpos(s.content, u.token) > 0)
        or exists (select from saved_snippet s where s.realm_id = ${realm}
          and s.user_id = u.owner_id and strpos(s.content, u.token) > 0))`.execute(tx);
}

/** Some expired files of a realm, locked against being linked. */
export const abandonedIn = async (
  tx: Tx,
  realm: RealmId,
  abandoned: Abandoned,
): Promise<number[]> =>
  (
    await tx
      .selectFrom('upload')
      .select('id')
      .where('realm_id', '=', realm)
      .where(isAbandoned(abandoned))
      .orderBy('id')
      .limit(50)
      .forUpdate()
      .execute()
  ).map(({ id }) => id);

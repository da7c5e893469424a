import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { enqueue } from '@bellhop/jobs';
import { ApiError, type UserId } from '@bellhop/protocol';

import { newSecret } from '../../engine/secrets.ts';
import { personOf } from '../../engine/turns.ts';
import { imageType } from '../../images/image-type.ts';
import { MAX_IMAGE_BYTES } from '../../images/images.ts';
import { squareOf } from '../../images/rendition.ts';
import { emojiImage } from '../../model/realm-emoji/emoji-image.ts';
import * as realmImages from '../../model/realm-images/queries.ts';
import { inChunks } from '../../model/uploads/chunks.ts';
import { addressName, shownName } from '../../model/uploads/file-names.ts';
import { mediaType } from '../../model/uploads/media-types.ts';
import * as uploads from '../../model/uploads/queries.ts';
import { avatarPictures } from '../../model/users/avatar-pictures.ts';
import * as users from '../../model/users/queries.ts';
import { storeAvatar } from '../../model/users/store-avatar.ts';
import { makeThumbnails } from '../../resources/uploads/make-thumbnails.ts';
import { faulty, flagOf, idOf, secondsOf, textOf } from '../form-fields.ts';
import { fileWithin, formFiles, type FormRecord } from '../form.ts';
import { readList, readTables } from '../json-file.ts';
import type { Importing, Piece } from './importing.ts';
import { noteIds } from './insert-rows.ts';

const ATTACHMENT = 'zerver_attachment';

/** A path of a record: those of some servers begin with the name of the folder. */
const pathOf = (record: FormRecord, folder: string): string => {
  const path = typeof record['path'] === 'string' ? record['path'] : '';
  return join(folder, path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path);
};

/** The records of the files in a folder of the export; none if the export has no such folder. */
export async function* fileRecords(
  { folder }: Pick<Importing, 'folder'>,
  name: string,
): AsyncGenerator<FormRecord> {
  const path = join(folder, name, formFiles.records);
  const found = await stat(path).catch(() => undefined);
  if (found) yield* readList(path);
}

/** Files below uploads that attachment.json names, in its order. */
export async function* attachmentRecords({
  folder,
}: Pick<Importing, 'folder'>): AsyncGenerator<FormRecord> {
  const path = join(folder, formFiles.attachments);
  const found = await stat(path).catch(() => undefined);
  if (!found) return;
  for await (const { record } of readTables(path, new Set([ATTACHMENT]))) yield record;
}

/** The path of an attachment below /user_uploads/, which is also its place in the export. */
export const attachmentPath = (record: FormRecord): string =>
  textOf(ATTACHMENT, record, 'path_id', 1000);

const inUploads = async ({ folder }: Pick<Importing, 'folder'>, record: FormRecord) =>
  fileWithin(folder, join('uploads', attachmentPath(record)));

/** Throws for a file that is missing, outside of the export or too large. Looked at before anything is imported. */
export async function checkFiles(
  importing: Pick<Importing, 'folder' | 'maxFileBytes'>,
): Promise<number> {
  const { maxFileBytes, folder } = importing;
  let count = 0;
  for await (const record of attachmentRecords(importing)) {
    const { size } = await stat(await inUploads(importing, record));
    if (size > maxFileBytes)
      throw faulty(
        ATTACHMENT,
        record,
        `the file ${attachmentPath(record)} is larger than ${Math.floor(maxFileBytes / 1_048_576)} MiB. Raise BELLHOP_MAX_UPLOAD_MIB, here and for the server`,
      );
    count += 1;
  }
  for (const name of ['avatars', 'emoji', 'realm_icons'])
    for await (const record of fileRecords(importing, name))
      await fileWithin(folder, pathOf(record, name));
  return count;
}

/** Stores a file with a new address. Its thumbnails are made when the import has ended. */
export async function importFile(
  importing: Importing,
  { tx, count }: Piece,
  record: FormRecord,
): Promise<void> {
  const { realm, now } = importing;
  const path = attachmentPath(record);
  const owners = await importing.newIds(tx, 'user', [idOf(record, 'owner') ?? -1]);
  const [owner_id] = owners.values();
  if (owner_id === undefined) {
    count('files left out: nobody is left who owned them', 1);
    return;
  }
  const name = textOf(ATTACHMENT, record, 'file_name', 1000);
  const said = typeof record['content_type'] === 'string' ? record['content_type'] : '';
  const row = await uploads.begin(tx, {
    realm_id: realm,
    owner_id: owner_id as UserId,
    token: newSecret(24),
    name: shownName(name),
    file_name: addressName(name),
    type: mediaType(said, name),
    created_at: secondsOf(record, 'create_time') ?? now,
    // As if it was uploaded now: its owner has the usual time to link one that no message links.
    unclaimed_since: now,
  });
  let number = 0;
  let size = 0;
  let isImage = false;
  const hash = createHash('sha256');
  for await (const bytes of inChunks(createReadStream(await inUploads(importing, record)))) {
    if (number === 0) isImage = imageType(bytes) !== undefined;
    size += bytes.length;
    hash.update(bytes);
    await uploads.addChunk(tx, { realm_id: realm, upload_id: row.id, number: number++, bytes });
  }
  const image_state = isImage && size <= MAX_IMAGE_BYTES ? 'pending' : null;
  // In the database, whatever BELLHOP_FILES says: `bellhop files move` takes it to the store.
  await uploads.complete(tx, row, { size, image_state, object_key: null, sha256: hash.digest() });
  await tx
    .insertInto('imported_file')
    .values({ realm_id: realm, path, upload_id: row.id })
    .execute();
  count('files', 1);
}

/** Starts the jobs that make thumbnails. */
export async function enqueueThumbnails({ realm }: Importing, { tx }: Piece): Promise<void> {
  const rows = await tx
    .selectFrom('upload as u')
    .innerJoin('realm_user as o', (join) =>
      join.onRef('o.realm_id', '=', 'u.realm_id').onRef('o.id', '=', 'u.owner_id'),
    )
    .select(['u.id as upload_id', 'o.realm_id', 'o.id', 'o.bot_owner_id'])
    .where('u.realm_id', '=', realm)
    .where('u.image_state', '=', 'pending')
    .orderBy('u.id')
    .execute();
  for (const { upload_id, ...owner } of rows)
    await enqueue(tx, makeThumbnails, { realm_id: realm, upload_id }, { key: personOf(owner) });
}

/** The picture of a person, in the sizes of this server. One that is no picture is left out. */
export async function importAvatar(
  importing: Importing,
  piece: (work: (piece: Piece) => Promise<void>) => Promise<void>,
  record: FormRecord,
): Promise<void> {
  const { realm, folder, db, images } = importing;
  // Servers that keep small sizes too export the picture as it was uploaded under this name.
  if (!pathOf(record, 'avatars').endsWith('.original')) return piece(async () => {});
  const former = idOf(record, 'user_profile_id') ?? -1;
  const [id] = (await importing.newIds(db.kysely, 'user', [former])).values();
  const user = id === undefined ? undefined : await users.byId(db.kysely, realm, id as UserId);
  const bytes = await pictureOf(folder, pathOf(record, 'avatars'));
  const pictures =
    user && bytes && (await unlessBad(() => avatarPictures({ images }, user, bytes)));
  await piece(async ({ tx, count }) => {
    if (user && pictures) await storeAvatar(tx, user, pictures);
    count(pictures ? 'avatars' : 'avatars left out: no picture', 1);
  });
}

async function pictureOf(folder: string, path: string): Promise<Buffer | undefined> {
  const full = await fileWithin(folder, path);
  const { size } = await stat(full);
  return size > MAX_IMAGE_BYTES ? undefined : readFile(full);
}

/** Undefined for a picture that cannot be decoded. */
async function unlessBad<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ApiError && error.code === 'BAD_IMAGE') return undefined;
    throw error;
  }
}

/** A custom emoji, in the size of this server. */
export async function importEmoji(
  importing: Importing,
  piece: (work: (piece: Piece) => Promise<void>) => Promise<void>,
  { record, former }: { readonly record: FormRecord; readonly former: FormRecord },
): Promise<void> {
  const { realm, folder, db, images } = importing;
  const ids = await importing.newIds(db.kysely, 'user', [idOf(former, 'author') ?? -1]);
  const [author] = ids.values();
  const author_id = (author ?? (await anyOwner(importing))) as UserId;
  const bytes = await pictureOf(folder, pathOf(record, 'emoji'));
  const person = await users.byId(db.kysely, realm, author_id);
  const image = person && bytes && (await unlessBad(() => emojiImage(images, person, bytes)));
  await piece(async ({ tx, count }) => {
    if (!image) return count('emoji left out: no picture', 1);
    const { id } = await tx
      .insertInto('realm_emoji')
      .values({
        realm_id: realm,
        name: textOf('zerver_realmemoji', former, 'name', 100),
        author_id,
        is_active: !flagOf(former, 'deactivated', false),
        ...image,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await noteIds(tx, realm, 'emoji', [[idOf(former, 'id') ?? 0, id]]);
    count('emoji', 1);
  });
}

/** The author of what has none. */
async function anyOwner({ db, realm }: Importing): Promise<number> {
  const { id } = await db.kysely
    .selectFrom('realm_user')
    .select('id')
    .where('realm_id', '=', realm)
    .orderBy('is_bot')
    .orderBy('role')
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow();
  return id;
}

const kinds = { icon: 'icon', logo: 'logo', night_logo: 'night_logo' } as const;

/** The icon or a logo of the organization. */
export async function importRealmImage(
  importing: Importing,
  piece: (work: (piece: Piece) => Promise<void>) => Promise<void>,
  record: FormRecord,
): Promise<void> {
  const { realm, folder, images } = importing;
  const path = pathOf(record, 'realm_icons');
  const name = /([a-z_]+)\.original$/.exec(path)?.[1];
  const kind =
    name !== undefined && Object.hasOwn(kinds, name)
      ? kinds[name as keyof typeof kinds]
      : undefined;
  const bytes = kind && (await pictureOf(folder, path));
  const rendition =
    kind === 'icon'
      ? squareOf(100, { format: 'png', animated: false })
      : ({ width: 800, height: 100, fit: 'inside', format: 'png', animated: false } as const);
  const made =
    bytes && (await unlessBad(() => images.resize({ bytes, person: 'import' }, [rendition])));
  const image = made?.images[0];
  await piece(async ({ tx, count }) => {
    if (kind && image) await realmImages.replace(tx, realm, { kind, bytes: image.bytes });
    if (kind) count(image ? 'icons and logos' : 'icons and logos left out: no picture', 1);
  });
}

import { createHash } from 'node:crypto';

import type { IncomingFile } from '@bellhop/http';

import type { App } from '../../engine/app.ts';
import type { LockedChange } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import type { Handlers } from '../../engine/resource.ts';
import { newSecret } from '../../engine/secrets.ts';
import { personOf, Turns } from '../../engine/turns.ts';
import { imageType } from '../../images/image-type.ts';
import { MAX_IMAGE_BYTES } from '../../images/images.ts';
import { requireRoom } from '../../model/require-room.ts';
import { attachmentRecord, pathOf } from '../../model/uploads/attachment-record.ts';
import { inChunks } from '../../model/uploads/chunks.ts';
import { databaseFiles, type FilesDatabase } from '../../model/uploads/database-files.ts';
import { addressName, shownName } from '../../model/uploads/file-names.ts';
import { mediaType } from '../../model/uploads/media-types.ts';
import * as places from '../../model/uploads/place-queries.ts';
import * as queries from '../../model/uploads/queries.ts';
import type { UploadRow } from '../../model/uploads/queries.ts';
import { requireQuota, uploadLimits } from '../../model/uploads/upload-limits.ts';
import { makeThumbnails } from './make-thumbnails.ts';
import { putObject } from './put-object.ts';

interface AttachmentChange extends LockedChange<'attachment'> {
  readonly realm: Realm;
  readonly user: User;
}
type ChangeAttachment = <T>(work: (change: AttachmentChange) => Promise<T>) => Promise<T>;
interface UploadCall {
  readonly app: App;
  /** The realm and the user when the upload began. */
  readonly before: { readonly realm: Realm; readonly user: User };
  readonly change: ChangeAttachment;
}

/** An upload may take an hour: somebody who ends none could hold memory and connections of all. */
const MAX_UNDER_WAY = 20;
const underWay = new Turns({
  atOnce: Infinity,
  ofOne: MAX_UNDER_WAY,
  refusal: `You are uploading ${MAX_UNDER_WAY} files already: wait until one of them has ended.`,
});

/** Stores a file while it arrives. It can be downloaded when it is complete. */
export const createUpload: Handlers<'uploads'>['create'] = async (call) => {
  const { app, before, change, receive } = call;
  let begun: UploadRow | undefined;
  const receiveOne = () =>
    receive(
      async (file) => {
        begun = await change((inside) => begin(app, inside, file));
        return store(call, begun, file.content);
      },
      uploadLimits(app.config, before.realm).maxMib * 1_048_576,
    );
  try {
    const stored = await underWay.run(personOf(before.user), receiveOne);
    if (!begun) throw new Error('A file was received and not begun');
    const row = app.files.storesObjects
      ? await finishAsObject(call, begun, stored)
      : await finish(call, begun, { ...stored, object_key: null });
    const url = `/user_uploads/${pathOf(row)}`;
    return { url, uri: url, filename: row.name };
  } catch (error) {
    if (begun) await discard(call, begun);
    throw error;
  }
};

/** Inserts an incomplete upload, which nobody can download; it is swept if the server dies. */
function begin(app: App, { db, realm, user }: AttachmentChange, file: IncomingFile) {
  const now = app.now();
  return queries.begin(db, {
    realm_id: realm.id,
    owner_id: user.id,
    token: newSecret(24),
    name: shownName(file.name),
    file_name: addressName(file.name),
    type: mediaType(file.type, file.name),
    created_at: now,
    unclaimed_since: now,
  });
}

interface StoredFile {
  /** Bytes. */
  readonly size: number;
  readonly sha256: Buffer;
  /** Whether it begins like an image and is small enough to be decoded. */
  readonly isImage: boolean;
}

/**
 * Stores each chunk in a transaction of its own, so that no transaction stays open while a client
 * sends slowly.
 */
async function store(
  { app, before, change }: UploadCall,
  { id: upload_id }: UploadRow,
  content: AsyncIterable<Buffer>,
): Promise<StoredFile> {
  const { id: realm_id } = before.realm;
  let size = 0;
  let number = 0;
  let beginsLikeImage = false;
  const hash = createHash('sha256');
  for await (const bytes of inChunks(content)) {
    size += bytes.length;
    hash.update(bytes);
    if (number === 0) beginsLikeImage = imageType(bytes) !== undefined;
    const chunk = { realm_id, upload_id, number: number++, bytes };
    // The uploads of a realm wait here for one another, so that each counts the bytes of the others.
    await change(async ({ db, realm, user }) => {
      await queries.addChunk(db, chunk);
      requireQuota(await queries.spaceHeldWith(db, user), uploadLimits(app.config, realm));
    });
  }
  return {
    size,
    sha256: hash.digest(),
    isImage: beginsLikeImage && size <= MAX_IMAGE_BYTES,
  };
}

/**
 * Stores the chunks as an object, and completes the file. Sent on only when all have come: a client that
 * sends slowly holds no connection to the store, and another attempt can read them again.
 */
function finishAsObject(call: UploadCall, begun: UploadRow, stored: StoredFile) {
  const { app, change } = call;
  const { size, sha256 } = stored;
  const transact: FilesDatabase['transact'] = (_realm, work) => change(({ db }) => work(db));
  const database = databaseFiles({ db: app.db.kysely, transact });
  const target = { transact, objects: app.files.objects(), now: app.now };
  const read = () => database.read(begun, 0, size);
  return putObject(target, begun.realm_id, { size, sha256, read }, (object_key) =>
    finish(call, begun, { ...stored, object_key }),
  );
}

interface PlacedFile extends StoredFile {
  /** The object with its bytes; null if they are in the database. */
  readonly object_key: string | null;
}

/** Throws REALM_UPLOAD_QUOTA if files completed in the meantime have used up the quota. */
function finish(
  { app, change }: UploadCall,
  begun: UploadRow,
  { size, sha256, isImage, object_key }: PlacedFile,
) {
  return change(async ({ db, emit, enqueue, realm, user }) => {
    const row = await queries.complete(db, begun, {
      size,
      sha256,
      object_key,
      image_state: isImage ? 'pending' : null,
    });
    if (object_key !== null) await places.settleInObject(db, row, object_key);
    if (isImage)
      await enqueue(
        makeThumbnails,
        { realm_id: realm.id, upload_id: row.id },
        { key: personOf(user) },
      );
    const held = await queries.spaceHeldWith(db, user);
    requireQuota(held, uploadLimits(app.config, realm));
    await requireRoom(db, 'upload', { realm_id: realm.id, owner_id: user.id });
    const attachment = attachmentRecord(row, []);
    const event = { type: 'attachment', op: 'add', attachment } as const;
    emit({ ...event, upload_space_used: held.complete }, [row.owner_id]);
    return row;
  });
}

async function discard({ app, change }: UploadCall, { id, realm_id }: UploadRow): Promise<void> {
  const remove = change(({ db }) => queries.remove(db, realm_id, [id]));
  await remove.catch((error: unknown) => {
    app.log.warn({ err: error }, 'a failed upload was not removed; the sweep will remove it');
  });
}

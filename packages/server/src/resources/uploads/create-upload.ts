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
import { addressName, shownName } from '../../model/uploads/file-names.ts';
import { mediaType } from '../../model/uploads/media-types.ts';
import * as queries from '../../model/uploads/queries.ts';
import type { UploadRow } from '../../model/uploads/queries.ts';
import { requireQuota, uploadLimits } from '../../model/uploads/upload-limits.ts';
import { makeThumbnails } from './make-thumbnails.ts';

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
    const row = await finish(call, begun, stored);
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
  for await (const bytes of inChunks(content)) {
    size += bytes.length;
    if (number === 0) beginsLikeImage = imageType(bytes) !== undefined;
    const chunk = { realm_id, upload_id, number: number++, bytes };
    // The uploads of a realm wait here for one another, so that each counts the bytes of the others.
    await change(async ({ db, realm, user }) => {
      await queries.addChunk(db, chunk);
      requireQuota(await queries.spaceHeldWith(db, user), uploadLimits(app.config, realm));
    });
  }
  return { size, isImage: beginsLikeImage && size <= MAX_IMAGE_BYTES };
}

/** Throws REALM_UPLOAD_QUOTA if files completed in the meantime have used up the quota. */
function finish({ app, change }: UploadCall, begun: UploadRow, { size, isImage }: StoredFile) {
  return change(async ({ db, emit, enqueue, realm, user }) => {
    const row = await queries.complete(db, begun, {
      size,
      image_state: isImage ? 'pending' : null,
    });
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

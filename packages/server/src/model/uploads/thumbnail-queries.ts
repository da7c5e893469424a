import type { RealmId } from '@bellhop/protocol';

import type { Db, Tx } from '../../engine/call.ts';
import type { ImageSource } from '../../images/rendition.ts';
import type { UploadRow } from './queries.ts';

type Key = Pick<UploadRow, 'id' | 'realm_id'>;

export interface Thumbnail {
  readonly format: string;
  readonly bytes: Buffer;
}

/** Stores the thumbnails of an image that waits for them. */
export async function store(
  tx: Tx,
  { id, realm_id }: Key,
  { source, thumbnails }: { source: ImageSource; thumbnails: readonly Thumbnail[] },
): Promise<void> {
  const updated = await tx
    .updateTable('upload')
    .set({
      image_state: 'ready',
      image_type: source.type,
      image_width: source.width,
      image_height: source.height,
      image_frames: source.frames,
    })
    .where('realm_id', '=', realm_id)
    .where('id', '=', id)
    .where('image_state', '=', 'pending')
    .returning('id')
    .executeTakeFirst();
  // The file was removed, or another node was faster.
  if (!updated) return;
  await tx
    .insertInto('thumbnail')
    .values(thumbnails.map((thumbnail) => ({ realm_id, upload_id: id, ...thumbnail })))
    .execute();
}

/** Records that a file that waits for thumbnails is no image. */
export async function markUnusable(tx: Tx, { id, realm_id }: Key): Promise<void> {
  await tx
    .updateTable('upload')
    .set({ image_state: null })
    .where('realm_id', '=', realm_id)
    .where('id', '=', id)
    .where('image_state', '=', 'pending')
    .execute();
}

export async function find(
  db: Db,
  { id, realm_id }: { readonly id: number; readonly realm_id: RealmId },
  format: string,
): Promise<Buffer | undefined> {
  const found = await db
    .selectFrom('thumbnail')
    .select('bytes')
    .where('realm_id', '=', realm_id)
    .where('upload_id', '=', id)
    .where('format', '=', format)
    .executeTakeFirst();
  return found?.bytes;
}

import { buffer } from 'node:stream/consumers';

import { RealmId } from '@bellhop/protocol';
import { z } from 'zod';

import { ApiError } from '../../engine/api-error.ts';
import type { JobApp } from '../../engine/app.ts';
import { job } from '../../engine/job.ts';
import * as queries from '../../model/uploads/queries.ts';
import type { UploadRow } from '../../model/uploads/queries.ts';
import { readUpload } from '../../model/uploads/read-upload.ts';
import { formatsOf, renditionOf } from '../../model/uploads/thumbnail-formats.ts';
import * as thumbnails from '../../model/uploads/thumbnail-queries.ts';
import { showThumbnails, updateMessages } from './show-thumbnails.ts';

const Payload = z.object({ realm_id: RealmId, upload_id: z.int() });
type Payload = z.output<typeof Payload>;

/**
 * Makes the thumbnails of an uploaded image and shows them in the messages that link it. A file that
 * is no image that the server can decode loses its preview; the file itself and its link stay.
 */
export const makeThumbnails = job<Payload>({
  name: 'make_thumbnails',
  payload: Payload,
  lane: 'images',
  // People take turns: `enqueue` gets them as the key.
  sharesSlots: true,
  retry: [5, 60, 600],
  timeoutMs: 300_000,
  async run({ realm_id, upload_id }, app) {
    const row = await queries.byId(app.db.kysely, realm_id, upload_id);
    if (!row) return;
    if (row.image_state === 'pending') await resize(app, row);
    await showThumbnails(app, row);
  },
  async onDead(tx, { payload: { realm_id, upload_id } }, app) {
    await thumbnails.markUnusable(tx, { realm_id, id: upload_id });
    await app.changeIn(tx, { id: realm_id }, (change) =>
      updateMessages(app, change, { realm_id, id: upload_id }),
    );
  },
});

async function resize(app: JobApp, row: UploadRow): Promise<void> {
  const realm = { id: row.realm_id };
  // In a line of its own: a preview must not fail because its owner changes their avatar often.
  const file = { bytes: await contentOf(app, row), person: `previews of ${row.owner_id}` };
  try {
    const { source } = await app.images.resize(file, []);
    const formats = formatsOf(source.frames);
    const { images } = await app.images.resize(file, formats.map(renditionOf));
    const made = formats.flatMap(({ name: format }, at) => {
      const image = images[at];
      return image ? [{ format, bytes: image.bytes }] : [];
    });
    await app.change(realm, ({ db }) => thumbnails.store(db, row, { source, thumbnails: made }));
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'BAD_IMAGE')) throw error;
    await app.change(realm, ({ db }) => thumbnails.markUnusable(db, row));
  }
}

const contentOf = (app: JobApp, row: UploadRow): Promise<Buffer> =>
  buffer(readUpload(app, row, 0, row.size));

import type { Handlers, Resource } from '../../engine/resource.ts';
import { userOrSpectator } from '../../engine/spectator.ts';
import { visibleUpload } from '../../model/uploads/find-download.ts';
import { temporaryPath } from '../../model/uploads/temporary-path.ts';
import { createUpload } from './create-upload.ts';
import { makeThumbnails } from './make-thumbnails.ts';
import { removeObjects } from './remove-objects.ts';
import { sweepUploads } from './sweep-uploads.ts';

const handlers: Handlers<'uploads'> = {
  create: createUpload,

  async temporaryUrl(call) {
    const { params, app, db } = call;
    const row = await visibleUpload(db, userOrSpectator(call), params);
    return { url: temporaryPath(app, row) };
  },
};

export const uploads: Resource<'uploads'> = {
  handlers,
  jobs: ({ files }) => [sweepUploads, makeThumbnails, ...(files.s3 ? [removeObjects] : [])],
};

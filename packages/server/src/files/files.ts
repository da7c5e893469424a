import { FileStoreFault } from './file-store.ts';
import type { FileSettings } from './file-variables.ts';
import { type S3Files, s3Files } from './s3-files.ts';

/** The stores of files that the operator configured beside the database. */
export interface Files {
  /** Whether the bytes of new files become objects. */
  readonly storesObjects: boolean;
  /** The S3-compatible store. Throws a FileStoreFault if none is configured. */
  readonly objects: () => S3Files;
  readonly close: () => Promise<void>;
}

export function createFiles({ newIn, s3 }: FileSettings): Files {
  const objects = s3 && s3Files(s3);
  return {
    storesObjects: newIn === 's3',
    objects: () => {
      if (objects) return objects;
      throw new FileStoreFault(
        'Files of this database are in an S3-compatible store: set BELLHOP_S3_BUCKET and the variables beside it as they were',
        { isPassing: false },
      );
    },
    close: async () => objects?.close(),
  };
}

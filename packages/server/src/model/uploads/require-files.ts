import type { Logger } from 'pino';

import type { Db } from '../../engine/call.ts';
import { FileStoreFault } from '../../files/file-store.ts';
import type { Files } from '../../files/files.ts';
import { hasObjects } from './place-queries.ts';

interface FilesToCheck {
  readonly db: Db;
  readonly files: Files;
  readonly log: Logger;
}

/**
 * Throws a FileStoreFault if files are in a store that is not configured, or if that for new files refuses
 * them. A store that does not answer is only logged: the chat goes on without it.
 */
export async function requireFiles({ db, files, log }: FilesToCheck): Promise<void> {
  try {
    if (files.storesObjects || (await hasObjects(db))) await files.objects().check();
  } catch (error) {
    if (!(error instanceof FileStoreFault && error.isPassing)) throw error;
    log.warn({ err: error }, 'the store of files does not answer');
  }
}

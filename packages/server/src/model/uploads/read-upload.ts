import type { App } from '../../engine/app.ts';
import { MissingBytes } from '../../files/file-store.ts';
import { readStored } from './database-files.ts';
import * as queries from './queries.ts';
import type { UploadRow } from './queries.ts';

type ReadingApp = Pick<App, 'db' | 'files'>;

/**
 * The bytes of a complete file from `from` to before `to`, from the store that has it. A file that is moved
 * meanwhile is read on from its new place.
 */
export async function* readUpload(
  app: ReadingApp,
  file: UploadRow,
  from: number,
  to: number,
): AsyncGenerator<Buffer> {
  let row = file;
  let at = from;
  for (;;) {
    try {
      for await (const bytes of bytesOf(app, row, at, to)) {
        yield bytes;
        at += bytes.length;
      }
      return;
    } catch (error) {
      if (!(error instanceof MissingBytes)) throw error;
      const now = await queries.byId(app.db.kysely, row.realm_id, row.id);
      if (now === undefined || now.object_key === row.object_key) throw error;
      row = now;
    }
  }
}

function bytesOf({ db, files }: ReadingApp, row: UploadRow, from: number, to: number) {
  if (row.object_key === null) return readStored(db.kysely, row, from, to);
  return files.objects().read(row.object_key, from, to);
}

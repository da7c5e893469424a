import { createHash } from 'node:crypto';

import { FileStoreFault, MissingBytes } from '../../files/file-store.ts';
import type { S3Files } from '../../files/s3-files.ts';
import { pathOf } from '../../model/uploads/attachment-record.ts';
import { databaseFiles, type FilesDatabase } from '../../model/uploads/database-files.ts';
import * as places from '../../model/uploads/place-queries.ts';
import type { FilePlaceName, FilesCount } from '../../model/uploads/place-queries.ts';
import * as queries from '../../model/uploads/queries.ts';
import type { UploadRow } from '../../model/uploads/queries.ts';
import { putObject } from './put-object.ts';

/** Files that move at the same time. */
const AT_ONCE = 4;

export interface MoveOptions extends FilesDatabase {
  readonly to: FilePlaceName;
  readonly objects: S3Files;
  /** UNIX seconds. */
  readonly now: () => number;
  /** When aborted, the files under way are moved, and no others. */
  readonly signal: AbortSignal;
  /** Called before the first file and after each. */
  readonly onProgress: (done: FilesCount, all: FilesCount) => void;
  /** Called with the address of a file whose bytes are gone; it stays as it is. */
  readonly onMissing: (path: string, error: MissingBytes) => void;
}

/**
 * Moves the bytes of all complete files to the database or to the S3-compatible store, while servers run. A
 * file has its old bytes until the new ones were read back and are the same. Throws a FileStoreFault. What
 * was moved stays moved: another call goes on with the rest.
 */
export async function moveUploads(options: MoveOptions): Promise<FilesCount> {
  const { db, to, signal, onProgress, onMissing } = options;
  const all = await places.filesIn(db, otherThan(to));
  let done: FilesCount = { files: 0, bytes: 0 };
  onProgress(done, all);
  const rest = filesToMove(options);
  let failure: unknown;
  const isThere = async ({ realm_id, id }: UploadRow) =>
    (await queries.byId(db, realm_id, id)) !== undefined;
  const work = async () => {
    for await (const row of rest) {
      try {
        await moveFile(options, row);
        done = { files: done.files + 1, bytes: done.bytes + row.size };
        onProgress(done, all);
      } catch (error) {
        // Its owner may have removed it meanwhile.
        if (await isThere(row)) {
          if (!(error instanceof MissingBytes)) throw error;
          onMissing(`/user_uploads/${pathOf(row)}`, error);
        }
      }
      if (signal.aborted || failure !== undefined) return;
    }
  };
  const remember = (error: unknown) => (failure ??= error);
  await Promise.all(Array.from({ length: AT_ONCE }, () => work().catch(remember)));
  if (failure !== undefined) throw failure;
  return done;
}

const otherThan = (place: FilePlaceName): FilePlaceName => (place === 's3' ? 'database' : 's3');

async function* filesToMove({ db, to, signal }: MoveOptions): AsyncGenerator<UploadRow> {
  let last: UploadRow | undefined;
  for (;;) {
    const some = await places.someFilesIn(db, otherThan(to), last);
    for (const row of some) {
      if (signal.aborted) return;
      yield row;
    }
    last = some.at(-1);
    if (!last) return;
  }
}

async function moveFile(options: MoveOptions, row: UploadRow): Promise<void> {
  const { to, objects, transact } = options;
  const database = databaseFiles(options);
  const read = (object_key: string | null) =>
    object_key === null ? database.read(row, 0, row.size) : objects.read(object_key, 0, row.size);
  const sha256 = row.sha256 ?? (await digestOf(read(row.object_key)));
  const content = { size: row.size, sha256, read: () => read(row.object_key) };
  const settle = async (object_key: string | null) => {
    if (!sha256.equals(await digestOf(read(object_key))))
      throw new FileStoreFault(
        `/user_uploads/${pathOf(row)}: the bytes that were read back are not those of the file. It stays where it is`,
        { isPassing: false },
      );
    await transact(row.realm_id, async (tx) => {
      if (!(await places.relocate(tx, row, { object_key, sha256 })))
        throw new MissingBytes('it was removed or moved meanwhile');
      if (object_key !== null) await places.settleInObject(tx, row, object_key);
    });
  };
  if (to === 's3') return putObject(options, row.realm_id, content, settle);
  await database.put(row, content);
  return settle(null);
}

async function digestOf(content: AsyncIterable<Buffer>): Promise<Buffer> {
  const hash = createHash('sha256');
  for await (const bytes of content) hash.update(bytes);
  return hash.digest();
}

import type { RealmId } from '@bellhop/protocol';

import type { Db, Tx } from '../../engine/call.ts';
import type { FileStore } from '../../files/file-store.ts';
import { inChunks, readChunks } from './chunks.ts';
import * as queries from './queries.ts';
import type { UploadRow } from './queries.ts';

export interface FilesDatabase {
  readonly db: Db;
  /** Runs work for a realm in a transaction of its own. */
  readonly transact: <T>(realm: RealmId, work: (tx: Tx) => Promise<T>) => Promise<T>;
}
type FileKey = Pick<UploadRow, 'id' | 'realm_id'>;

/** The bytes of files in the database, a transaction for each chunk. */
export const databaseFiles = ({ db, transact }: FilesDatabase): FileStore<FileKey> => ({
  async put(file, { read }) {
    const { realm_id, id: upload_id } = file;
    await transact(realm_id, (tx) => queries.removeChunks(tx, file));
    let number = 0;
    for await (const bytes of inChunks(read())) {
      const chunk = { realm_id, upload_id, number: number++, bytes };
      await transact(realm_id, (tx) => queries.storeChunk(tx, chunk));
    }
  },
  read: (file, from, to) => readStored(db, file, from, to),
  remove: (file) => transact(file.realm_id, (tx) => queries.removeChunks(tx, file)),
});

/** The bytes of a file in the database from `from` to before `to`. */
export const readStored = (
  db: Db,
  file: FileKey,
  from: number,
  to: number,
): AsyncGenerator<Buffer> => readChunks((number) => queries.chunk(db, file, number), from, to);

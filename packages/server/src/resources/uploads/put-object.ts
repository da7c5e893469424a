import type { RealmId } from '@bellhop/protocol';

import { newSecret } from '../../engine/secrets.ts';
import type { FileContent, FileStore } from '../../files/file-store.ts';
import type { FilesDatabase } from '../../model/uploads/database-files.ts';
import * as places from '../../model/uploads/place-queries.ts';

/** Longer than all attempts to store the largest file take. */
const LOOSE_SECONDS = 10_800;

interface ObjectTarget extends Pick<FilesDatabase, 'transact'> {
  readonly objects: FileStore<string>;
  /** UNIX seconds. */
  readonly now: () => number;
}

/**
 * Stores bytes as a new object of a realm, and calls `settle` with its key to give it to a file. An object
 * that no file gets is removed: soon if any of this fails, else, after a crash, in three hours.
 */
export async function putObject<T>(
  { objects, transact, now }: ObjectTarget,
  realm_id: RealmId,
  content: FileContent,
  settle: (key: string) => Promise<T>,
): Promise<T> {
  const key = `${realm_id}/${newSecret(32)}`;
  await transact(realm_id, (tx) =>
    places.addLooseObject(tx, { realm_id, key, remove_after: now() + LOOSE_SECONDS }),
  );
  try {
    await objects.put(key, content);
    return await settle(key);
  } catch (error) {
    const giveUp = transact(realm_id, (tx) => places.giveUpObject(tx, { realm_id, key }));
    await giveUp.catch(() => {});
    throw error;
  }
}

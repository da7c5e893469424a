import type { Change } from '../../engine/call.ts';
import type { Realm } from '../../engine/caller.ts';
import { recheckAttachments } from '../../model/messages/queries.ts';
import * as queries from '../../model/uploads/queries.ts';

/** Removes files with their bytes, with events to their owners; returns how many it removed. */
export async function removeUploads(
  { db, emit }: Pick<Change<'attachment'>, 'db' | 'emit'>,
  realm: Pick<Realm, 'id'>,
  ids: readonly number[],
): Promise<number> {
  if (ids.length === 0) return 0;
  const messages = await queries.linkingAny(db, realm.id, ids);
  const removed = await queries.remove(db, realm.id, ids);
  if (messages.length > 0) await recheckAttachments(db, realm.id, messages);
  const upload_space_used = await queries.spaceUsed(db, realm.id);
  for (const { id, owner_id, is_complete } of removed)
    if (is_complete)
      emit({ type: 'attachment', op: 'remove', attachment: { id }, upload_space_used }, [owner_id]);
  return removed.length;
}

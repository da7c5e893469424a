import { badRequest, type ChannelFolderId, type RealmId } from '@bellhop/protocol';

import type { Tx } from '../../engine/call.ts';
import * as queries from './queries.ts';

/**
 * Throws BAD_REQUEST unless channels may be put into this folder: it exists and is not archived, and
 * stays so until the commit. No folder is always allowed.
 */
export async function requireUsableFolder(
  tx: Tx,
  realm: RealmId,
  id: ChannelFolderId | null | undefined,
): Promise<void> {
  if (id === undefined || id === null) return;
  const folder = await queries.locked(tx, realm, id);
  if (!folder || folder.is_archived) throw badRequest('Invalid channel folder ID');
}

import type { Attachment } from '@bellhop/protocol';

import type { Change } from '../../../engine/call.ts';
import { attachUploads } from '../../uploads/attach-uploads.ts';
import { recheckAttachments } from '../queries.ts';
import type { ContentEdit } from './edit-content.ts';
import type { MessageEdit } from './message-edit.ts';

/**
 * Attaches the uploads that an edited message links and detaches its others. Returns the uploads that
 * no message links any more.
 */
export async function updateUploads(
  change: Pick<Change<'attachment'>, 'db' | 'emit'>,
  { target: message, ...edit }: MessageEdit,
  { attachment_paths: paths }: ContentEdit,
): Promise<Attachment[]> {
  const { detached } = await attachUploads(change, { ...edit, message, paths });
  await recheckAttachments(change.db, edit.realm.id, [message.id]);
  return detached;
}

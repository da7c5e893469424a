import type { Attachment } from '@bellhop/protocol';

import type { Change } from '../../../engine/call.ts';
import type { Realm, User } from '../../../engine/caller.ts';
import { attachUploads } from '../../uploads/attach-uploads.ts';
import type { ChangeableMessage } from '../changeable-message.ts';
import { recheckAttachments } from '../queries.ts';
import type { ContentEdit } from './edit-content.ts';

interface EditedMessage {
  readonly realm: Realm;
  readonly user: User;
  readonly now: number;
  readonly target: ChangeableMessage;
}

/**
 * Attaches the uploads that an edited message links and detaches its others. Returns the uploads that
 * no message links any more.
 */
export async function updateUploads(
  change: Pick<Change<'attachment'>, 'db' | 'emit'>,
  { target: message, ...editing }: EditedMessage,
  { attachment_paths: paths }: ContentEdit,
): Promise<Attachment[]> {
  const { detached } = await attachUploads(change, { ...editing, message, paths });
  await recheckAttachments(change.db, editing.realm.id, [message.id]);
  return detached;
}

import type { MessageId } from '@bellhop/protocol';

import type { JobApp } from '../../engine/app.ts';
import type { Change, Db } from '../../engine/call.ts';
import { fillPreviews } from '../../markdown/fill-previews.ts';
import { lockRendered } from '../../model/messages/edit/queries.ts';
import { previewsOf } from '../../model/uploads/previews-of.ts';
import * as queries from '../../model/uploads/queries.ts';
import type { UploadRow } from '../../model/uploads/queries.ts';
import { replaceRendering } from '../messages/edit/replace-rendering.ts';

type Key = Pick<UploadRow, 'id' | 'realm_id'>;
type RenderingChange = Pick<Change<'update_message'>, 'db' | 'emit'>;

/**
 * Shows the thumbnails of an image in the messages that link it, one transaction each. A message that
 * is sent meanwhile has locked the file before, or sees its thumbnails.
 */
export async function showThumbnails(app: JobApp, { id, realm_id }: Key): Promise<void> {
  for (const message of await linkingMessages(app.db.kysely, { id, realm_id }))
    await app.change({ id: realm_id }, (change) => updateMessage(app, change, realm_id, message));
}

/** The same in one transaction. */
export async function updateMessages(
  app: JobApp,
  change: RenderingChange,
  { id, realm_id }: Key,
): Promise<void> {
  for (const message of await linkingMessages(change.db, { id, realm_id }))
    await updateMessage(app, change, realm_id, message);
}

const linkingMessages = (db: Db, { id, realm_id }: Key) => queries.linkingAny(db, realm_id, [id]);

async function updateMessage(
  app: JobApp,
  change: RenderingChange,
  realm_id: UploadRow['realm_id'],
  id: MessageId,
): Promise<void> {
  // Locked in the same order as by an edit: the message, then its files.
  const message = await lockRendered(change.db, realm_id, id);
  if (!message) return;
  const previews = previewsOf(await queries.linkedBy(change.db, realm_id, [id]));
  const rendered_content = fillPreviews(message.rendered_content, previews);
  if (rendered_content === message.rendered_content) return;
  const realm = await app.realms.byIdIn(change.db, realm_id);
  await replaceRendering(change, { realm, message, rendered_content, now: app.now() });
}

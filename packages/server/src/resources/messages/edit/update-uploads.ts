import type { Attachment } from '@bellhop/protocol';

import type { Change } from '../../../engine/call.ts';
import { fillPreviews } from '../../../markdown/fill-previews.ts';
import type { ContentEdit } from '../../../model/messages/edit/edit-content.ts';
import type { MessageEdit } from '../../../model/messages/edit/message-edit.ts';
import { attachUploads } from '../attach-uploads.ts';

interface UpdatedUploads {
  /** The new content with previews of the linked images. */
  readonly rendered: ContentEdit;
  /** Files that no message links any more. */
  readonly detached: Attachment[];
}

/** Attaches the uploads that an edited message links and detaches its others. */
export async function updateUploads(
  change: Pick<Change<'attachment'>, 'db' | 'emit'>,
  { target: message, ...edit }: MessageEdit,
  { columns, ...rendered }: ContentEdit,
): Promise<UpdatedUploads> {
  const paths = rendered.attachment_paths;
  const { detached, previews, has_attachment } = await attachUploads(change, {
    ...edit,
    message,
    paths,
  });
  const rendered_content = fillPreviews(columns.rendered_content, previews);
  return {
    rendered: { ...rendered, columns: { ...columns, rendered_content, has_attachment } },
    detached,
  };
}

import { checkContent } from '@bellhop/protocol';

import type { Handlers } from '../../engine/resource.ts';
import { fillPreviews } from '../../markdown/fill-previews.ts';
import { renderContent } from '../../model/messages/render-content.ts';
import { previewsFor } from '../../model/uploads/previews-of.ts';

/** Empty content renders as nothing, though it could not be sent. */
export const renderPreview: Handlers<'messages'>['render'] = async ({
  db,
  realm,
  user,
  params,
}) => {
  if (params.content.trim() === '') return { rendered: '' };
  const content = checkContent(params.content);
  const preview = { realm, content, in_channel: true, sender: user, isPreview: true };
  const { html, attachment_paths } = await renderContent(db, preview);
  return { rendered: fillPreviews(html, await previewsFor(db, user, attachment_paths)) };
};

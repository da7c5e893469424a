import type { Handlers } from '../../engine/resource.ts';
import { checkContent, renderContent } from './render-content.ts';

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
  return { rendered: (await renderContent(db, preview)).html };
};

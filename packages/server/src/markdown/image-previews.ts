import { escapeHtml } from '@bellhop/protocol';
import type { RendererRule, StateCore, Token } from 'markdown-it';

import { renderState } from './render-state.ts';
import { isImage, uploadUrl } from './upload-link.ts';

/** Shown while there is no thumbnail: `fillPreviews` replaces it. */
export const LOADING_IMAGE = '/api/image-loading.svg';

/** Images beyond this number in one message have no preview, as in the public server. */
const MAX_PREVIEWS = 24;

/**
 * The core rule that puts the linked uploads of images below their paragraph. Images of other sites
 * have no preview: loading them would show those sites who reads the message. Images in quotes have
 * none either.
 */
export function imagePreviews(state: StateCore): void {
  const { previewsImages, realmHost } = renderState(state.env);
  if (!previewsImages) return;
  const tokens: Token[] = [];
  let quotes = 0;
  let count = 0;
  let waiting: Token[] = [];
  for (const token of state.tokens) {
    if (token.type === 'blockquote_open') quotes += 1;
    if (token.type === 'blockquote_close') quotes -= 1;
    tokens.push(token);
    if (token.type === 'inline' && quotes === 0)
      waiting = linkedImages(state, token.children ?? [], realmHost);
    if (token.type !== 'paragraph_close') continue;
    const added = waiting.slice(0, MAX_PREVIEWS - count);
    count += added.length;
    tokens.push(...added);
    waiting = [];
  }
  state.tokens = tokens;
}

function linkedImages(
  state: StateCore,
  children: readonly Token[],
  realmHost: string | undefined,
): Token[] {
  return children.flatMap((child, at) => {
    if (child.type !== 'link_open') return [];
    const url = uploadUrl(String(child.attrGet('href') ?? ''), realmHost);
    if (url === undefined || !isImage(url)) return [];
    const end = children.findIndex((token, index) => index > at && token.type === 'link_close');
    const text = children
      .slice(at + 1, end)
      .map(({ content }) => content)
      .join('');
    const preview = new state.Token('image_preview', 'div', 0);
    preview.meta = { url, title: text };
    return [preview];
  });
}

export const renderImagePreview: RendererRule = (tokens, index) => {
  const meta = tokens[index]?.meta;
  const src = escapeHtml(String(meta?.['url']));
  const title = escapeHtml(String(meta?.['title']));
  return `<div class="message_inline_image"><a href="${src}" title="${title}"><img class="image-loading-placeholder" src="${LOADING_IMAGE}"></a></div>\n`;
};

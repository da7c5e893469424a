import { escapeHtml } from '@bellhop/protocol';
import type { RendererRule, StateInline } from 'markdown-it';

import { EXTRA_EMOJI, EXTRA_EMOJI_PATH } from '../emoji/built-in-emoji.ts';
import { emojiCodes } from '../emoji/emoji-table.ts';
import { renderState } from './render-state.ts';

const named = /:([\p{L}\p{M}\p{N}_+-]{1,100}):/uy;

/**
 * The inline rule for `:tada:`. A custom emoji replaces the Unicode emoji of the same name; an unknown
 * name stays text.
 */
export function emojiRule(state: StateInline, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 0x3a /* : */) return false;
  named.lastIndex = state.pos;
  const [whole = '', name = ''] = named.exec(state.src) ?? [];
  const src = renderState(state.env).customEmoji.get(name) ?? extraEmoji.get(name);
  const code = src === undefined ? emojiCodes().get(name) : undefined;
  if ((src ?? code) === undefined || state.pos + whole.length > state.posMax) return false;
  if (!silent) {
    const token = state.push('emoji', 'span', 0);
    token.content = name;
    token.markup = whole;
    token.meta = { code, src };
  }
  state.pos += whole.length;
  return true;
}

const extraEmoji = new Map([[EXTRA_EMOJI, EXTRA_EMOJI_PATH]]);

/** The HTML of an emoji is ten times as long as its name: emoji beyond this number stay text. */
const MAX_EMOJI = 500;

/** The name needs no escaping: it has only characters without meaning in HTML. */
export const renderEmoji: RendererRule = (tokens, index, _options, env) => {
  const { content: name = '', markup = '', meta } = tokens[index] ?? {};
  if (env && ++renderState(env).emoji > MAX_EMOJI) return escapeHtml(markup);
  const label = name.replaceAll('_', ' ');
  const src: unknown = meta?.['src'];
  if (typeof src === 'string')
    return `<img alt=":${name}:" class="emoji" src="${src}" title="${label}">`;
  return `<span aria-label="${label}" class="emoji emoji-${String(meta?.['code'])}" role="img" title="${label}">:${name}:</span>`;
};

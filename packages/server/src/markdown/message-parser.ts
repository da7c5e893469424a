import markdownIt from 'markdown-it';
import type { MarkdownIt, StateCore, StateInline } from 'markdown-it';

import { channelLinkRule, renderChannelLink } from './channel-link-rule.ts';
import { renderFence, renderIndentedCode } from './code-block.ts';
import { emojiCharacters } from './emoji-characters.ts';
import { emojiRule, renderEmoji } from './emoji-rule.ts';
import { emoticons } from './emoticons.ts';
import { fenceRule, spoilerRules } from './fence-rule.ts';
import { imagePreviews, renderImagePreview } from './image-previews.ts';
import { limitNesting } from './limit-nesting.ts';
import { setLinkPolicy } from './link-policy.ts';
import { linkifierRule } from './linkifier-rule.ts';
import { mathRule, renderInlineMath } from './math-rule.ts';
import { mentionRule, renderMention } from './mention-rule.ts';
import { renderState } from './render-state.ts';
import { renderTime, timeRule } from './time-rule.ts';

/** Parses inline text; sets `quoted` for text in a block quote. */
function parseInline(state: StateCore): void {
  const render = renderState(state.env);
  let quotes = 0;
  for (const token of state.tokens) {
    if (token.type === 'blockquote_open') quotes += 1;
    if (token.type === 'blockquote_close') quotes -= 1;
    if (token.type !== 'inline') continue;
    render.quoted = quotes > 0;
    token.children ??= [];
    state.md.inline.parse(token.content, state.md, state.env, token.children);
  }
}

/** Writes `text-align: right` with a space, as clients expect it. */
function spellAlignment(state: StateCore): void {
  for (const token of state.tokens) {
    const style = token.tag === 'th' || token.tag === 'td' ? token.attrGet('style') : null;
    if (style !== null) token.attrSet('style', `${String(style).replace(':', ': ')};`);
  }
}

function setRules(md: MarkdownIt): void {
  md.block.ruler.disable(['lheading', 'reference', 'html_block']);
  md.inline.ruler.disable(['escape', 'image', 'html_inline']);
  const alt = ['paragraph', 'reference', 'blockquote', 'list'];
  md.block.ruler.at('fence', fenceRule, { alt });
  md.inline.ruler.before('emphasis', 'underscore', keepUnderscores);
  md.inline.ruler.before('underscore', 'mention', mentionRule);
  md.inline.ruler.before('underscore', 'channel_link', channelLinkRule);
  md.inline.ruler.before('underscore', 'emoji', emojiRule);
  md.inline.ruler.before('underscore', 'math', mathRule);
  md.inline.ruler.before('autolink', 'time', timeRule);
  md.core.ruler.at('inline', parseInline);
  md.core.ruler.push('linkifiers', linkifierRule);
  md.core.ruler.push('emoji_characters', emojiCharacters);
  md.core.ruler.push('emoticons', emoticons);
  md.core.ruler.push('alignment', spellAlignment);
  md.core.ruler.push('empty_links', emptyLinks);
  limitNesting(md);
  md.core.ruler.push('image_previews', imagePreviews);
}

/** Keeps underscores as text: they are frequent in identifiers. */
function keepUnderscores(state: StateInline, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 0x5f /* _ */) return false;
  if (!silent) state.pending += '_';
  state.pos += 1;
  return true;
}

/** A markdown-it parser for the message syntax, with the HTML that API clients expect. */
export function messageParser(): MarkdownIt {
  const md = markdownIt({ html: false, linkify: true, breaks: true, maxNesting: 100 });
  setLinkPolicy(md);
  setRules(md);
  Object.assign(md.renderer.rules, spoilerRules, {
    mention: renderMention,
    channel_link: renderChannelLink,
    emoji: renderEmoji,
    time: renderTime,
    math: renderInlineMath,
    fence: renderFence,
    code_block: renderIndentedCode,
    image_preview: renderImagePreview,
    s_open: () => '<del>',
    s_close: () => '</del>',
  });
  return md;
}

/** The core rule that gives a link without text its address as text: `[](https://x.org)`. */
function emptyLinks(state: StateCore): void {
  for (const { children } of state.tokens) {
    if (!children) continue;
    for (let at = children.length - 2; at >= 0; at -= 1) {
      const open = children[at];
      if (open?.type !== 'link_open' || children[at + 1]?.type !== 'link_close') continue;
      const text = new state.Token('text', '', 0);
      text.content = String(open.attrGet('href') ?? '');
      children.splice(at + 1, 0, text);
    }
  }
}

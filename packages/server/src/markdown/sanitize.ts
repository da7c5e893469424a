import { createRequire } from 'node:module';

import type { IOptions } from 'sanitize-html';

import { EXTRA_EMOJI_PATH } from '../emoji/built-in-emoji.ts';
import { LOADING_IMAGE } from './image-previews.ts';

const require = createRequire(import.meta.url);

const inline = ['a', 'br', 'code', 'del', 'em', 'span', 'strong', 'time'];
const blocks = ['blockquote', 'div', 'hr', 'li', 'ol', 'p', 'pre', 'ul'];
const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];
const tables = ['table', 'tbody', 'td', 'th', 'thead', 'tr'];

const mathText = ['annotation', 'math', 'mi', 'mn', 'mo', 'mrow', 'mspace', 'mtext', 'semantics'];
const mathScripts = ['mover', 'msub', 'msubsup', 'msup', 'munder', 'munderover'];
const mathLayout = ['menclose', 'mfrac', 'mpadded', 'mphantom', 'mroot', 'msqrt', 'mstyle'];
const mathTables = ['mtable', 'mtd', 'mtr'];
const math = [...mathText, ...mathScripts, ...mathLayout, ...mathTables];

const alignments = ['left', 'center', 'right'].map((side) => `text-align: ${side};`);
const alignment = [{ name: 'style', values: alignments }];

const sources = [LOADING_IMAGE, '/user_avatars/', EXTRA_EMOJI_PATH];

const options: IOptions = {
  allowedTags: [...inline, ...blocks, ...headings, ...tables, ...math, 'img'],
  allowedAttributes: {
    a: ['href', 'title', 'class', 'data-stream-id'],
    annotation: ['encoding'],
    div: ['class', 'data-code-language', 'aria-hidden'],
    img: ['alt', 'class', 'src', 'title'],
    math: ['xmlns', 'display'],
    menclose: ['notation'],
    mfrac: ['linethickness'],
    mi: ['mathvariant'],
    mn: ['mathvariant'],
    mo: ['accent', 'fence', 'lspace', 'maxsize', 'minsize', 'rspace', 'separator', 'stretchy'],
    mover: ['accent'],
    mpadded: ['depth', 'height', 'lspace', 'voffset', 'width'],
    mspace: ['height', 'linebreak', 'width'],
    mstyle: ['displaystyle', 'mathbackground', 'mathcolor', 'mathsize', 'scriptlevel'],
    mtable: ['columnalign', 'columnlines', 'columnspacing', 'rowlines', 'rowspacing', 'width'],
    mtext: ['mathvariant'],
    munder: ['accentunder'],
    ol: ['start'],
    span: ['class', 'data-user-id', 'data-user-group-id', 'aria-label', 'role', 'title'],
    td: alignment,
    th: alignment,
    time: ['datetime'],
  },
  allowedClasses: {
    a: ['stream', 'stream-topic', 'message-link'],
    div: [
      'codehilite',
      'message_inline_image',
      'spoiler-block',
      'spoiler-header',
      'spoiler-content',
    ],
    img: ['emoji', 'image-loading-placeholder'],
    span: [
      'user-mention',
      'user-group-mention',
      'topic-mention',
      'channel-wildcard-mention',
      'silent',
      'timestamp-error',
      'katex',
      'katex-display',
      'tex-error',
      'emoji',
      /^emoji-/,
    ],
  },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  parseStyleAttributes: false,
  // Images come from this server only. Thumbnails are added later.
  exclusiveFilter: ({ tag, attribs }) =>
    tag === 'img' && !sources.some((start) => attribs['src']?.startsWith(start)),
};

const bare = [...inline, ...blocks, ...headings, ...tables].filter(
  (tag) => !['a', 'br', 'div', 'hr', 'span', 'time'].includes(tag),
);

/** The tags of most messages, to the letter, which the sanitizer returns as they are. */
const HARMLESS = new RegExp(
  `^<(?:${[
    'br',
    'hr',
    `/?(?:${bare.join('|')})`,
    '/(?:a|div|span)',
    'a href="https?://(?:[\\w./?=#%:~+-]|&amp;)+"',
    'div class="codehilite"(?: data-code-language="\\w+")?',
    'span class="user-mention(?: silent)?" data-user-id="\\d+"',
    'span aria-label="[\\w +-]+" class="emoji emoji-[\\w-]+" role="img" title="[\\w +-]+"',
  ].join('|')})>$`,
);

/**
 * Second line of defence after the parser: permits only the tags, attributes, classes and link schemes
 * of messages. Writes void tags as `<br>`, and quotes in texts as they are. HTML that has nothing but
 * harmless tags is not parsed again.
 */
export function sanitize(html: string): string {
  const tags = html.match(/<[^>]*>?/g) ?? [];
  if (tags.every((tag) => HARMLESS.test(tag))) return html.replaceAll('&quot;', '"');
  const sanitizeHtml = require('sanitize-html') as typeof import('sanitize-html');
  // In its output `>` is escaped wherever it does not end a tag.
  return sanitizeHtml(html, options).replaceAll(' />', '>');
}

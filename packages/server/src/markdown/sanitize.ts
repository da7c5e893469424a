import sanitizeHtml, { type IOptions } from 'sanitize-html';

const inline = ['a', 'br', 'code', 'del', 'em', 'span', 'strong', 'time'];
const blocks = ['blockquote', 'div', 'hr', 'li', 'ol', 'p', 'pre', 'ul'];
const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];
const tables = ['table', 'tbody', 'td', 'th', 'thead', 'tr'];

const alignments = ['left', 'center', 'right'].map((side) => `text-align: ${side};`);
const alignment = [{ name: 'style', values: alignments }];

const options: IOptions = {
  allowedTags: [...inline, ...blocks, ...headings, ...tables],
  allowedAttributes: {
    a: ['href', 'title', 'class', 'data-stream-id'],
    div: ['class', 'data-code-language', 'aria-hidden'],
    ol: ['start'],
    span: ['class', 'data-user-id', 'data-user-group-id', 'aria-label', 'role', 'title'],
    td: alignment,
    th: alignment,
    time: ['datetime'],
  },
  allowedClasses: {
    a: ['stream', 'stream-topic', 'message-link'],
    div: ['codehilite', 'spoiler-block', 'spoiler-header', 'spoiler-content'],
    span: [
      'user-mention',
      'user-group-mention',
      'topic-mention',
      'channel-wildcard-mention',
      'silent',
      'timestamp-error',
      'emoji',
      /^emoji-/,
    ],
  },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  parseStyleAttributes: false,
};

/**
 * Second line of defence after the parser: permits only the tags, attributes, classes and link schemes
 * of messages. Writes void tags as `<br>`.
 */
export const sanitize = (html: string): string =>
  // In its output `>` is escaped wherever it does not end a tag.
  sanitizeHtml(html, options).replaceAll(' />', '>');

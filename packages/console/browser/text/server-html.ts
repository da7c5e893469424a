import type DOMPurify from 'dompurify';

/** The elements that the server renders messages with. */
const elements = [
  'html',
  'head',
  'body',
  'a',
  'b',
  'blockquote',
  'br',
  'code',
  'del',
  'div',
  'em',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'hr',
  'img',
  'li',
  'ol',
  'p',
  'pre',
  'span',
  'strong',
  'table',
  'tbody',
  'td',
  'th',
  'thead',
  'time',
  'tr',
  'u',
  'ul',
  'video',
  'audio',
];
const attributes = [
  'alt',
  'class',
  'colspan',
  'data-code-language',
  'data-original-dimensions',
  'data-stream-id',
  'data-user-group-id',
  'data-user-id',
  'datetime',
  'href',
  'rowspan',
  'start',
  'src',
  'title',
];

type ParseHtml = (
  html: string,
  options: { sanitizer: { elements: readonly string[]; attributes: readonly string[] } },
) => Document;

let purify: typeof DOMPurify | undefined;

/** Loads the sanitizer of browsers that have none of their own. */
export async function prepareServerHtml(): Promise<void> {
  if ('parseHTML' in Document) return;
  purify = (await import('dompurify')).default;
}

/**
 * Turns HTML of the server into nodes with the elements and attributes above, and no others. Nothing
 * is loaded: `src` becomes `data-src`. The only place of the console that reads HTML.
 */
export function nodesOf(html: string): DocumentFragment {
  const fragment = document.createDocumentFragment();
  const body = inert(html);
  for (const element of body.querySelectorAll('[src]')) {
    element.setAttribute('data-src', element.getAttribute('src') ?? '');
    element.removeAttribute('src');
  }
  for (const link of body.querySelectorAll('a')) limitLink(link);
  fragment.append(...body.childNodes);
  return fragment;
}

function inert(html: string): ParentNode {
  if ('parseHTML' in Document) {
    const parse = (Document as unknown as { parseHTML: ParseHtml }).parseHTML.bind(Document);
    return parse(html, { sanitizer: { elements, attributes } }).body;
  }
  if (!purify) return document.createElement('p');
  // An inert document: images do not load.
  const options = { ALLOWED_TAGS: elements, ALLOWED_ATTR: attributes, RETURN_DOM: true } as const;
  const clean = purify.sanitize(html, options);
  const { body } = document.implementation.createHTMLDocument('');
  body.append(body.ownerDocument.importNode(clean, true));
  return body;
}

/** Lets links lead to web pages only, in a tab of their own and without a referrer. */
function limitLink(link: HTMLAnchorElement): void {
  const target = URL.parse(link.getAttribute('href') ?? '', location.origin);
  if (!target || !/^https?:$/.test(target.protocol)) {
    link.removeAttribute('href');
    return;
  }
  link.target = '_blank';
  link.rel = 'noopener noreferrer';
}

import { htmlTree, type Element, type Node } from './html-tree.ts';

const maxLength = 200;

const hasClass = (node: Node | undefined, name: string) =>
  typeof node === 'object' && node.classes.includes(name);
const isElement = (node: Node | undefined, tag: string) =>
  typeof node === 'object' && node.tag === tag;
const isBlank = (node: Node) => typeof node === 'string' && node.trim() === '';

/** The line `Iago said:` that clients put above a quote: a silent mention, a link and a colon. */
function introducesQuote(node: Node): boolean {
  if (typeof node === 'string' || node.tag !== 'p') return false;
  const [who, said, ...rest] = node.children.filter((child) => !isBlank(child));
  const isMention = hasClass(who, 'user-mention') && hasClass(who, 'silent');
  return isMention && isElement(said, 'a') && rest.length === 1 && rest[0] === ':';
}

/** Quotes become `[…]` unless the message is nothing but quotes. */
function collapseQuotes(nodes: readonly Node[]): Node[] {
  const blocks = nodes.filter((node) => !isBlank(node));
  const quoted = blocks.map(
    (block, i) =>
      isElement(block, 'blockquote') ||
      (introducesQuote(block) && isElement(blocks[i + 1], 'blockquote')),
  );
  if (quoted.every(Boolean) || !quoted.some(Boolean)) return blocks;
  return blocks.flatMap((block, i) => {
    if (!quoted[i]) return [block];
    return quoted[i - 1] ? [] : ['[…]'];
  });
}

const asQuote = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => `> ${line}`)
    .join('\n');

function spoilerText(spoiler: Element): string {
  const header = spoiler.children.find((child) => hasClass(child, 'spoiler-header'));
  return `${header ? textOf(header).trim() : ''} (…)`.trim();
}

function listText({ tag, children }: Element): string {
  const items = children.filter((child) => isElement(child, 'li'));
  return items
    .map((item, i) => `${tag === 'ol' ? `${i + 1}. ` : ''}${textOf(item).trim()}`)
    .join('\n');
}

const fromCodePoints = (codes: string) =>
  String.fromCodePoint(...codes.split('-').map((code) => Number.parseInt(code, 16)));

function emojiText(element: Element): string | undefined {
  const codes = element.classes.map((name) => /^emoji-([0-9a-f-]+)$/.exec(name)?.[1]);
  const code = codes.find((found) => found !== undefined);
  return code === undefined ? undefined : fromCodePoints(code);
}

const lines = (nodes: readonly Node[]) =>
  nodes
    .map((node) => textOf(node).trim())
    .filter((text) => text !== '')
    .join('\n');

function textOf(node: Node): string {
  if (typeof node === 'string') return node;
  if (hasClass(node, 'spoiler-block')) return spoilerText(node);
  if (hasClass(node, 'emoji')) return emojiText(node) ?? node.alt;
  switch (node.tag) {
    case 'img':
      return node.alt;
    case 'br':
      // The line feed after it is part of the text.
      return '';
    case 'ol':
    case 'ul':
      return listText(node);
    case 'blockquote':
      return asQuote(lines(node.children));
    case 'table':
    case 'tbody':
    case 'thead':
      return lines(node.children);
    case 'tr':
      return node.children
        .map((cell) => textOf(cell).trim())
        .filter(Boolean)
        .join(' ');
    default:
      return node.children.map(textOf).join('');
  }
}

/**
 * Rendered HTML as the text of a push notification: emoji and images by their text, quotes as
 * `[…]` beside a text of one's own, spoilers by their header, at most 200 characters and then `…`.
 */
export function plainText(html: string): string {
  const characters = Array.from(lines(collapseQuotes(htmlTree(html))));
  if (characters.length <= maxLength) return characters.join('');
  return `${characters.slice(0, maxLength).join('')}…`;
}

import {
  type AdapterPostableMessage,
  BaseFormatConverter,
  type Content,
  convertEmojiPlaceholders,
  getNodeChildren,
  isBlockquoteNode,
  isCodeNode,
  isDeleteNode,
  isEmphasisNode,
  isInlineCodeNode,
  isLinkNode,
  isListNode,
  isParagraphNode,
  isStrongNode,
  isTableNode,
  isTextNode,
  parseMarkdown,
  type Root,
} from 'chat';

import { cardText } from './card-text.ts';

/** A code block or a code span, which stays as it is. The limits keep the time of hostile texts linear. */
const CODE = /((?<=^|\n)(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:\n\2`*(?=\n|$)|$)|`[^`\n]{1,1000}`)/;

/**
 * The Markdown of the server and the syntax tree of the Chat SDK. The server's has mentions
 * (`@**Ada|7**`) and links to channels (`#**ops>releases**`), and no backslash that escapes.
 */
export class BellhopFormatConverter extends BaseFormatConverter {
  /** The tree of a message. Mentions become `@Ada`, as in all adapters. */
  override toAst(content: string): Root {
    return parseMarkdown(outsideCode(quotes(content), plainNames));
  }

  override fromAst(ast: Root): string {
    return this.fromAstWithNodeConverter(ast, (node) => this.#text(node)).trim();
  }

  /** Texts in Markdown are sent as they are: the server reads it. */
  override renderPostable(message: AdapterPostableMessage): string {
    if (typeof message === 'string') return outgoing(message);
    if ('raw' in message) return outgoing(message.raw);
    if ('markdown' in message) return outgoing(message.markdown);
    if ('ast' in message) return outgoing(this.fromAst(message.ast));
    if ('card' in message) return outgoing(message.fallbackText ?? cardText(message.card));
    return outgoing(cardText(message));
  }

  #text(node: Content): string {
    const inside = () =>
      getNodeChildren(node)
        .map((child) => this.#text(child))
        .join('');
    if (isTextNode(node)) return node.value;
    if (isParagraphNode(node)) return inside();
    if (isStrongNode(node)) return `**${inside()}**`;
    if (isEmphasisNode(node)) return `*${inside()}*`;
    if (isDeleteNode(node)) return `~~${inside()}~~`;
    if (isInlineCodeNode(node)) return codeSpan(node.value);
    if (isCodeNode(node)) return codeBlock(node.value, node.lang ?? '');
    if (isLinkNode(node)) {
      const label = inside();
      return label === node.url ? node.url : `[${label}](${node.url})`;
    }
    if (isBlockquoteNode(node)) {
      const quoted = getNodeChildren(node).map((child) => this.#text(child));
      return quoted.join('\n\n').replaceAll(/^/gm, '> ');
    }
    if (isListNode(node)) return this.renderList(node, 0, (child) => this.#text(child));
    if (isTableNode(node)) return this.#table(node);
    if (node.type === 'heading') return `${'#'.repeat(node.depth)} ${inside()}`;
    if (node.type === 'image') return `[${node.alt || node.url}](${node.url})`;
    if (node.type === 'break') return '\n';
    if (node.type === 'thematicBreak') return '---';
    return this.defaultNodeToText(node, (child) => this.#text(child));
  }

  #table(node: Content): string {
    const rows = getNodeChildren(node).map((row) => {
      const cells = getNodeChildren(row).map((cell) =>
        getNodeChildren(cell)
          .map((child) => this.#text(child))
          .join('')
          .replaceAll('|', String.raw`\|`)
          .replaceAll('\n', ' '),
      );
      return { line: `| ${cells.join(' | ')} |`, size: cells.length };
    });
    const [head, ...others] = rows;
    if (head === undefined) return '';
    const rule = `|${' --- |'.repeat(head.size)}`;
    return [head.line, rule, ...others.map(({ line }) => line)].join('\n');
  }
}

/** `<@7>`, as `thread.mentionUser('7')` writes it, as a mention; `{{emoji:tada}}` as the emoji. */
function outgoing(text: string): string {
  const withMentions = outsideCode(text, (piece) => piece.replaceAll(/<@(\d{1,15})>/g, '@**|$1**'));
  return convertEmojiPlaceholders(withMentions, 'github');
}

/** Changes the parts of a text that are not code. */
function outsideCode(text: string, change: (piece: string) => string): string {
  // Of each code, split also returns the mark of its fence.
  return text
    .split(CODE)
    .map((piece, at) => (at % 3 === 0 ? change(piece) : at % 3 === 1 ? piece : ''))
    .join('');
}

const names: readonly (readonly [RegExp, string])[] = [
  [/@_?\*\*([^*|\n]{1,200})(?:\|\d{1,10})?\*\*/g, '@$1'],
  [/@_?\*\*\|(\d{1,10})\*\*/g, '@$1'],
  [/@_?\*([^*\n]{1,200})\*/g, '@$1'],
  [/#\*\*([^*>\n]{1,200})>([^*\n]{1,200})\*\*/g, '#$1 > $2'],
  [/#\*\*([^*\n]{1,200})\*\*/g, '#$1'],
  [/<time:([^<>\n]{1,100})>/g, '$1'],
];

const plainNames = (text: string): string =>
  names.reduce((changed, [mark, plain]) => changed.replaceAll(mark, plain), text);

/** Quotations, which are code blocks with the language `quote`, as block quotations. */
const quotes = (text: string): string =>
  text.replaceAll(
    /^(`{3,}|~{3,}) ?quote[ \t]*\n([\s\S]*?)\n\1[ \t]*$/gm,
    (_all, _fence, quoted: string) => `${quoted.replaceAll(/^/gm, '> ')}\n`,
  );

const codeSpan = (code: string) => {
  const mark = '`'.repeat(longestRun(code) + 1);
  return longestRun(code) > 0 ? `${mark} ${code} ${mark}` : mark + code + mark;
};

const codeBlock = (code: string, language: string) => {
  const fence = '`'.repeat(Math.max(3, longestRun(code) + 1));
  return `${fence}${language}\n${code}\n${fence}`;
};

const longestRun = (code: string) =>
  Math.max(0, ...Array.from(code.matchAll(/`+/g), ([run]) => run.length));

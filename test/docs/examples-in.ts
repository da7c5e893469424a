import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../support/source-files.ts';

/** A block of TypeScript in a guide, and the conversation below it. */
export interface Example {
  /** The Markdown file, from the root. */
  readonly page: string;
  /** The first line of its code on the page, from 1. */
  readonly line: number;
  /** The path of its module in the folder of examples. */
  readonly file: string;
  /** The module; its lines have the numbers they have on the page. */
  readonly module: string;
  readonly conversation: Conversation | undefined;
}

interface Conversation {
  readonly line: number;
  readonly text: string;
}

interface Block {
  readonly language: string;
  readonly line: number;
  readonly text: string;
}

/** The packages of names that short examples use without an import. */
const origins: Readonly<Record<string, string>> = {
  BotError: '@bellhop/bot',
  combineHooks: '@bellhop/bot',
  createBot: '@bellhop/bot',
  logHooks: '@bellhop/bot',
  memoryStore: '@bellhop/bot',
  z: 'zod',
};

export const pages = (): string[] =>
  globSync(['*.md', 'docs/**/*.md', 'examples/*.md', 'packages/*/README.md'], { cwd: root })
    .map((page) => page.replaceAll('\\', '/'))
    .filter((page) => !page.startsWith('docs/reference/'))
    .toSorted();

export const pageText = (page: string): string => readFileSync(join(root, page), 'utf8');

/**
 * The examples of a page: every block of TypeScript. A block with imports is a module, named by its
 * first line (`// bot.ts`). A block without imports becomes the body of a function with `options` and
 * `bot`, unless it declares `bot` itself. A text block right below it is a conversation with the bot.
 */
export function examplesIn(page: string, text: string = pageText(page)): Example[] {
  const folder = page.replace(/\.md$/, '').replaceAll('/', '-').toLowerCase();
  const blocks = blocksIn(text);
  return blocks.flatMap((block, index) => {
    if (block.language !== 'ts') return [];
    const next = blocks[index + 1];
    const [name] = /(?<=^\/\/ )[\w.-]+\.ts$/m.exec(block.text.split('\n', 1)[0] ?? '') ?? [];
    return {
      page,
      line: block.line,
      file: `${folder}/${name ?? `line-${block.line}.ts`}`,
      module: moduleOf(block),
      conversation: next?.language === 'text' ? next : undefined,
    };
  });
}

function blocksIn(text: string): Block[] {
  const blocks: Block[] = [];
  for (const found of text.matchAll(/^(`{3,})(\w*)\n([\s\S]*?)^\1$/gm)) {
    const line = text.slice(0, found.index).split('\n').length + 1;
    blocks.push({ language: found[2] ?? '', line, text: found[3] ?? '' });
  }
  return blocks;
}

function moduleOf({ text, line }: Block): string {
  if (/^import /m.test(text)) return '\n'.repeat(line - 1) + text;
  const used = Object.entries(origins).filter(([name]) => new RegExp(`\\b${name}\\b`).test(text));
  const own = /^const bot = /m.test(text);
  const imports = [
    `import type { BotOptions } from '@bellhop/bot';`,
    ...used.map(([name, from]) => `import { ${name} } from '${from}';`),
    ...(own || used.some(([name]) => name === 'createBot')
      ? []
      : [`import { createBot } from '@bellhop/bot';`]),
  ];
  const head = own ? '' : ' const bot = createBot(options);';
  const before = `${imports.join(' ')} export default function makeBot(options: BotOptions) {${head}`;
  return `${'\n'.repeat(line - 2)}${before}\n${text}return bot; }\n`;
}

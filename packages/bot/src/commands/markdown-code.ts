import { cutEnd } from './display-width.ts';

/** A text as inline code on one line, cut after `columns` columns. */
export function inlineCode(text: string, columns = 60): string {
  const line = cutEnd(text.replaceAll(/[\s\p{Cc}]/gu, ' '), columns);
  if (line.trim() === '') return `\`"${line}"\``;
  const ticks = '`'.repeat(longestRun(line) + 1);
  const pad = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return ticks + pad + line + pad + ticks;
}

/** Lines as a code block. The fence is longer than any run of backticks in them. */
export function codeBlock(lines: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(lines) + 1));
  return `${fence}text\n${lines}\n${fence}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
}

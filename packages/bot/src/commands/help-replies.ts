import { visibleText, wordKey } from '@bellhop/protocol/plain';

import type { CommandTable } from './command-table.ts';
import { inlineCode } from './markdown-code.ts';

/**
 * The reply to `help`, or to `help` with the name of a command; undefined for another text, and for a bot
 * without commands.
 */
export function helpReply(
  table: Pick<CommandTable<unknown>, 'size' | 'help'>,
  text: string,
): string | undefined {
  const [, first = '', name] = /^(\S+)(?:\s+(\S[^\n]{0,200}))?$/.exec(visibleText(text)) ?? [];
  if (wordKey(first) !== 'help' || table.size === 0) return undefined;
  if (name === undefined) return table.help();
  return table.help(name) ?? `There is no command ${inlineCode(name)}.\n\n${table.help()}`;
}

/** The reply to a message without a handler; undefined for a bot without commands. */
export function unknownReply(
  table: Omit<CommandTable<unknown>, 'add' | 'find'>,
  text: string,
): string | undefined {
  if (table.size === 0) return undefined;
  if (visibleText(text) === '') return table.help();
  const meant = table.nearest(text);
  const question = meant === undefined ? '' : ` Did you mean ${inlineCode(meant)}?`;
  return `I do not know what to do with that.${question} Say ${inlineCode('help')} for what I can do.`;
}

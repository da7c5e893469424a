import { styleText } from 'node:util';

import type { Failure } from '@bellhop/bot/hooks';
import type { Chat } from '@bellhop/bot/testing';
import { z } from 'zod';

import { terminalLine } from '../command-line/terminal-text.ts';

/** A message of a conversation in memory. */
export type ChatMessage = Chat['messages'][number];

/** Prints a message of a conversation as people see it. */
export function printChatMessage(message: ChatMessage): void {
  const { sender, via, content } = message;
  const name = `${sender.fullName}: `;
  const indented = content.replaceAll('\n', `\n${' '.repeat(name.length)}`);
  console.log(`${styleText(via === 'user' ? 'cyan' : 'green', name)}${indented}`);
  const notes = notesOf(message);
  if (notes.length > 0) printNote(notes.join(', '), name.length);
}

/** Prints a remark in parentheses. */
export function printNote(note: string, indent = 0): void {
  console.log(`${' '.repeat(indent)}${styleText('dim', `(${note})`)}`);
}

const MAX_EXCERPT = 60;

/** The beginning of a message in quotes, as a part of one line. */
export const excerpt = (text: string): string =>
  `"${terminalLine(text.length > MAX_EXCERPT ? `${text.slice(0, MAX_EXCERPT)}...` : text)}"`;

function notesOf({ edits, reactions, widget, via }: ChatMessage): string[] {
  const notes = [];
  if (edits.length > 0) notes.push(edits.length === 1 ? 'edited' : `edited ${edits.length} times`);
  if (reactions.length > 0) notes.push(reactions.map((emoji) => `:${emoji}:`).join(' '));
  if (widget !== undefined) notes.push(widgetNote(widget));
  if (via === 'rest') notes.push('by REST');
  return notes;
}

const Buttons = z.object({
  extra_data: z.object({ choices: z.array(z.object({ reply: z.string() })) }),
});
const Kind = z.object({ widget_type: z.string() });

/** A widget, or its JSON text, in words: what its buttons send, or its kind and data. */
export function widgetNote(widget: string | object): string {
  const read: unknown = typeof widget === 'string' ? JSON.parse(widget) : widget;
  const buttons = Buttons.safeParse(read).data;
  if (!buttons) return `a ${Kind.parse(read).widget_type}: ${terminalLine(JSON.stringify(read))}`;
  const sent = buttons.extra_data.choices.map(({ reply }) => `"${terminalLine(reply)}"`);
  return `buttons that send ${sent.join(', ')}`;
}

/** Prints the failure of a handler with its stack. */
export function printFailure({ error, reference }: Failure, print: (line: string) => void): void {
  print(styleText('red', `The handler failed, reference ${reference}.`));
  print(styleText('dim', readableStack(error)));
}

/** The stack of an error and of its causes, without the frames inside Node. */
export function readableStack(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const lines = (error.stack ?? error.message).split('\n');
  const shown = lines.filter((line) => !/^ {4}at .*(?:node:internal|new Promise)/.test(line));
  const cause = error.cause === undefined ? '' : `\nbecause of ${readableStack(error.cause)}`;
  return shown.join('\n') + cause;
}

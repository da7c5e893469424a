import { access } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import type { AnyBot, BotOptions } from '@bellhop/bot';
import type * as Internals from '@bellhop/bot/internals';
import type * as Testing from '@bellhop/bot/testing';

import { Complaint } from '../command-line/command.ts';
import { readableStack } from './readable-stack.ts';

export type FrameworkInternals = typeof Internals;
export type MakeBot = (options: BotOptions) => AnyBot;

interface FrameworkEntries {
  readonly '@bellhop/bot/internals': FrameworkInternals;
  readonly '@bellhop/bot/testing': typeof Testing;
}

/** The path of a bot's module: `bot.ts` unless one is named. Complains when there is no such file. */
export async function botPath(words: readonly string[]): Promise<string> {
  const [word = 'bot.ts', ...more] = words;
  if (more.length > 0) throw new Complaint(`One bot at a time: "${word}", and not "${more[0]}".`);
  const path = resolve(word);
  await access(path).catch(() => {
    throw new Complaint(
      `There is no ${word} here: name the module of your bot, or make one with "bellhop bot new".`,
    );
  });
  return path;
}

/** Imports what a module exports by default. Complains with the place of what is wrong in it. */
export async function loadBot(path: string): Promise<MakeBot> {
  const module = await import(pathToFileURL(path).href).catch((error: unknown) => {
    throw new Complaint(`${path} cannot be loaded.\n${readableStack(error)}`);
  });
  const makeBot: unknown = (module as { default?: unknown }).default;
  if (typeof makeBot === 'function') return makeBot as MakeBot;
  throw new Complaint(
    `${path} exports no bot. It should say:\n\n` +
      '  export default function makeBot(options: BotOptions) { return createBot(options)...; }',
  );
}

/** An entry of the copy of the framework that a bot uses: its symbols and classes are its own. */
export async function frameworkOf<E extends keyof FrameworkEntries>(
  path: string,
  entry: E,
): Promise<FrameworkEntries[E]> {
  let found: string = entry;
  try {
    found = pathToFileURL(createRequire(path).resolve(entry)).href;
  } catch {
    // A bot outside of any project: the framework beside this program.
  }
  return (await import(found)) as FrameworkEntries[E];
}

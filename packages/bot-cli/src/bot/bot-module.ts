import { access } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import type { AnyBot, BotOptions } from '@bellhop/bot';
import type * as Internals from '@bellhop/bot/internals';
import type * as Testing from '@bellhop/bot/testing';

import { proposeFiles } from '../command-line/file-completion.ts';
import { argument, type Parameter } from '../command-line/flags.ts';
import { UserError } from '../command-line/user-error.ts';
import { readableStack } from './print-chat.ts';

export type FrameworkInternals = typeof Internals;
export type MakeBot = (options: BotOptions) => AnyBot;

interface FrameworkEntries {
  readonly '@bellhop/bot/internals': FrameworkInternals;
  readonly '@bellhop/bot/testing': typeof Testing;
}

/** The argument of a command that names a bot's module. */
export const botModule: Parameter<string> = {
  ...argument('module', 'The module of the bot'),
  default: 'bot.ts',
  proposeCompletions: proposeFiles('.ts', '.mts', '.js', '.mjs'),
};

/** The absolute path of a bot's module. Throws a UserError if there is no such file. */
export async function botPath(file: string): Promise<string> {
  const path = resolve(file);
  await access(path).catch(() => {
    throw new UserError(
      `There is no ${file} here: name the module of your bot, or make one with "bellhop bot new".`,
    );
  });
  return path;
}

/** Imports the default export of a bot's module. Throws a UserError with the place of the mistake. */
export async function loadBot(path: string): Promise<MakeBot> {
  const module = await import(pathToFileURL(path).href).catch((error: unknown) => {
    throw new UserError(`${path} cannot be loaded.\n${readableStack(error)}`);
  });
  const makeBot: unknown = (module as { default?: unknown }).default;
  if (typeof makeBot === 'function') return makeBot as MakeBot;
  throw new UserError(
    `${path} exports no bot. It should say:\n\n` +
      '  export default function makeBot(options: BotOptions) { return createBot(options)...; }',
  );
}

/**
 * Rethrows an error of `makeBot`: a BotError with its message alone, any other error with its
 * stack.
 */
export const rethrowBotError =
  (path: string) =>
  (error: unknown): never => {
    if (error instanceof UserError) throw error;
    // Compares names: the bot may use another copy of the framework.
    if (error instanceof Error && error.name === 'BotError') throw new UserError(error.message);
    throw new UserError(`${path} makes no bot.\n${readableStack(error)}`);
  };

/**
 * An entry of the copy of the framework that a bot uses: the symbols and classes of two copies
 * differ. For a bot outside of any project it is the copy beside this program.
 */
export async function frameworkOf<E extends keyof FrameworkEntries>(
  path: string,
  entry: E,
): Promise<FrameworkEntries[E]> {
  let found: string = entry;
  try {
    found = pathToFileURL(createRequire(path).resolve(entry)).href;
  } catch {
    // Not installed beside the bot.
  }
  return (await import(found)) as FrameworkEntries[E];
}

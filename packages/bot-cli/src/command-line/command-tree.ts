import { buildCommand, buildRouteMap, type Command, type RouteMap } from '@stricli/core';

import type { CommandFactory, CommandLine } from './command.ts';

/** A command in a group. */
export interface CommandEntry {
  /** One line for the list of commands. */
  readonly brief: string;
  /** Left out of help and completion. */
  readonly hidden?: boolean;
  /** Imports the command. Only the command that runs is imported. */
  readonly load: () => Promise<CommandFactory>;
}

/** Commands under one word: `bellhop bot ...`. */
export interface CommandGroup {
  readonly brief: string;
  readonly hidden?: boolean;
  /** The command that runs if no command is named. */
  readonly default?: string;
  readonly commands: Readonly<Record<string, CommandEntry | CommandGroup>>;
}

/**
 * Builds the routes of a group. Only the commands that `words` lead to get parameters and a function:
 * none if `words` lead to another group.
 */
export async function buildRoutes(
  group: CommandGroup,
  typed: readonly string[] | undefined,
): Promise<RouteMap<CommandLine>> {
  const { brief, commands, default: defaultCommand } = group;
  const [first, ...words] = typed ?? [];
  const named = first !== undefined && Object.hasOwn(commands, first) ? first : defaultCommand;
  const word = typed && named;
  const routes: Record<string, Command<CommandLine> | RouteMap<CommandLine>> = {};
  const hideRoute: Record<string, boolean> = {};
  for (const [name, entry] of Object.entries(commands)) {
    if ('commands' in entry)
      routes[name] = await buildRoutes(entry, name === word ? words : undefined);
    else routes[name] = name === word ? (await entry.load())(entry.brief) : unloaded(entry.brief);
    hideRoute[name] = entry.hidden ?? false;
  }
  const built = buildRouteMap({
    routes,
    docs: { brief, hideRoute },
    ...(defaultCommand === undefined ? {} : { defaultCommand }),
  });
  return { ...built, formatHelp: ({ prefix }) => groupHelp(prefix.join(' '), group) };
}

/** The help of a group. That of Stricli has every command twice, and is longer than a screen. */
function groupHelp(words: string, { brief, commands }: CommandGroup): string {
  const shown = Object.entries(commands).filter(([, { hidden }]) => !hidden);
  const width = Math.max(...shown.map(([name]) => name.length));
  const lines = shown.map(([name, entry]) => `  ${name.padEnd(width)}  ${entry.brief}`);
  return `Usage
  ${words} COMMAND ...

${brief}.

Commands
${lines.join('\n')}

"${words} COMMAND --help" shows what a command does and takes.
`;
}

/** The words at the start of a command line that name a group or a command. */
export function commandPath({ commands }: CommandGroup, words: readonly string[]): CommandPath {
  const [word = '', ...others] = words;
  const entry = Object.hasOwn(commands, word) ? commands[word] : undefined;
  if (!entry) return { path: [], isGroup: true };
  if (!('commands' in entry)) return { path: [word], isGroup: false };
  const { path, isGroup } = commandPath(entry, others);
  return { path: [word, ...path], isGroup };
}
interface CommandPath {
  readonly path: readonly string[];
  readonly isGroup: boolean;
}

/** Replaces the function of a command that does not run, for the list of commands. */
const unloaded = (brief: string) =>
  buildCommand({ docs: { brief }, parameters: {}, func: async () => {} });

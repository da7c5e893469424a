import {
  type Application,
  buildApplication,
  ExitCode,
  proposeCompletions,
  run,
  type StricliProcess,
} from '@stricli/core';

import { applicationText } from './application-text.ts';
import { buildRoutes, type CommandGroup, commandPath } from './command-tree.ts';
import type { CommandLine } from './command.ts';
import { UsageError } from './user-error.ts';

const NAME = 'bellhop';
const USAGE_ERROR = 2;
const usageErrors: readonly number[] = [ExitCode.UnknownCommand, ExitCode.InvalidArgument];
/** Proposes a correction for swapped and missing letters, not for other letters. */
const distanceOptions = {
  threshold: 3,
  weights: { insertion: 1, deletion: 3, substitution: 2, transposition: 0 },
};

export interface BellhopProgram {
  readonly commands: CommandGroup;
  /**
   * The `package.json` with the version. Where not all commands are installed, it has those that are in
   * `commands`, and help and completion show no others.
   */
  readonly manifest: URL;
  /** What to say of a package that a command needs and that is not installed. */
  readonly missing: (name: string) => string;
}

/**
 * Runs a command line of `bellhop`. Returns the exit code: 0 for success and help, 2 for a usage error,
 * otherwise what the command returns, 1 if it throws.
 */
export async function runCommand(
  args: readonly string[],
  { commands: all, manifest, missing }: BellhopProgram,
): Promise<number> {
  const [first, ...others] = args;
  const words = first === 'help' ? [...others, '--help'] : args;
  const { stdout, stderr, env } = process;
  if (first === '--version' && others.length === 0) {
    stdout.write(`${read(manifest).version}\n`);
    return 0;
  }
  const commands = shownOf(all, read(manifest).commands);
  const terminal: StricliProcess = { stdout, stderr, env };
  const missingText = (error: unknown) => {
    const name = missingPackage(error);
    return name === undefined ? undefined : missing(name);
  };
  const application = await applicationFor(commands, words, missingText).catch((error: unknown) => {
    const text = missingText(error);
    if (text === undefined) throw error;
    return text;
  });
  if (typeof application === 'string') {
    stderr.write(`${application}\n`);
    return 1;
  }
  const commandLine: CommandLine = {
    process: terminal,
    proposeCompletions: async (typed) =>
      proposeCompletions(await applicationFor(commands, typed, missingText), typed, commandLine),
  };
  await run(application, words, commandLine);
  const code = Number(terminal.exitCode);
  if (usageErrors.includes(code)) return USAGE_ERROR;
  return code < 0 ? 1 : code;
}

function read(manifest: URL): { readonly version: string; readonly commands?: readonly string[] } {
  return JSON.parse(process.getBuiltinModule('node:fs').readFileSync(manifest, 'utf8'));
}

/** The group with the commands hidden that are not installed; undefined: all are. */
function shownOf(group: CommandGroup, installed: readonly string[] | undefined): CommandGroup {
  if (!installed) return group;
  const entries = Object.entries(group.commands).map(([name, entry]) => [
    name,
    installed.includes(name) ? entry : { ...entry, hidden: true },
  ]);
  return { ...group, commands: Object.fromEntries(entries) };
}

/** The package that an import has not found; undefined for any other error. */
function missingPackage(error: unknown): string | undefined {
  const isMissing =
    error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
  const [, name] = (isMissing && /^Cannot find package '([^']+)'/.exec(error.message)) || [];
  return name;
}

async function applicationFor(
  commands: CommandGroup,
  words: readonly string[],
  missing: (error: unknown) => string | undefined,
): Promise<Application<CommandLine>> {
  const { path, isGroup } = commandPath(commands, words);
  return buildApplication(await buildRoutes(commands, words), {
    name: NAME,
    scanner: {
      caseStyle: 'allow-kebab-for-camel',
      allowArgumentEscapeSequence: true,
      distanceOptions,
    },
    localization: { text: applicationText([NAME, ...path].join(' '), { isGroup, words, missing }) },
    determineExitCode: (error) => (error instanceof UsageError ? USAGE_ERROR : 1),
  });
}

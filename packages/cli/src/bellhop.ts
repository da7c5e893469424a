import {
  type Application,
  buildApplication,
  ExitCode,
  proposeCompletions,
  run,
  type StricliProcess,
} from '@stricli/core';

import { applicationText } from './command-line/application-text.ts';
import { buildRoutes, commandPath } from './command-line/command-tree.ts';
import type { CommandLine } from './command-line/command.ts';
import { UsageError } from './command-line/user-error.ts';
import { commands } from './commands.ts';

const NAME = 'bellhop';
const USAGE_ERROR = 2;
const usageErrors: readonly number[] = [ExitCode.UnknownCommand, ExitCode.InvalidArgument];
/** Proposes a correction for swapped and missing letters, not for other letters. */
const distanceOptions = {
  threshold: 3,
  weights: { insertion: 1, deletion: 3, substitution: 2, transposition: 0 },
};

/**
 * Runs a command line. Returns the exit code: 0 for success and help, 2 for a usage error, otherwise
 * what the command returns, 1 if it throws.
 */
export async function main(args: readonly string[]): Promise<number> {
  const [first, ...others] = args;
  const words = first === 'help' ? [...others, '--help'] : args;
  const { stdout, stderr, env } = process;
  if (first === '--version' && others.length === 0) {
    stdout.write(`${currentVersion()}\n`);
    return 0;
  }
  const terminal: StricliProcess = { stdout, stderr, env };
  const application = await applicationFor(words).catch(missingPackage);
  if (typeof application === 'string') {
    stderr.write(`${application}\n`);
    return 1;
  }
  await run(application, words, commandLine(terminal));
  const code = Number(terminal.exitCode);
  if (usageErrors.includes(code)) return USAGE_ERROR;
  return code < 0 ? 1 : code;
}

function currentVersion(): string {
  const manifest = new URL('../package.json', import.meta.url);
  const text = process.getBuiltinModule('node:fs').readFileSync(manifest, 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/**
 * The message for a command whose package was left out of the installation. Rethrows any other
 * error.
 */
function missingPackage(error: unknown): string {
  const isMissing =
    error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
  const [, name] = (isMissing && /^Cannot find package '([^']+)'/.exec(error.message)) || [];
  if (name === undefined) throw error;
  return `This installation has no ${name}, which the command needs: it is that of a push bouncer alone.`;
}

const commandLine = (terminal: StricliProcess): CommandLine => ({
  process: terminal,
  proposeCompletions: async (words) =>
    proposeCompletions(await applicationFor(words), words, commandLine(terminal)),
});

async function applicationFor(words: readonly string[]): Promise<Application<CommandLine>> {
  const { path, isGroup } = commandPath(commands, words);
  return buildApplication(await buildRoutes(commands, words), {
    name: NAME,
    scanner: {
      caseStyle: 'allow-kebab-for-camel',
      allowArgumentEscapeSequence: true,
      distanceOptions,
    },
    localization: { text: applicationText([NAME, ...path].join(' '), { isGroup, words }) },
    determineExitCode: (error) => (error instanceof UsageError ? USAGE_ERROR : 1),
  });
}

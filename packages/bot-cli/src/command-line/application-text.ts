import {
  ArgumentScannerError,
  formatMessageForArgumentScannerError,
  text_en,
  UnexpectedPositionalError,
} from '@stricli/core';

import { UserError } from './user-error.ts';

/**
 * The texts of a command's help and errors; `words` is the whole command line. An error is one line with advice. To the default command of a group,
 * a word without a meaning was to be another command. `missing` has a text for a package that is not installed.
 */
export function applicationText(
  command: string,
  { isGroup, words, missing }: CommandTexts,
): typeof text_en {
  const describe = (error: unknown) => missing(error) ?? explanation(error);
  return {
    ...text_en,
    headers: {
      usage: 'Usage',
      aliases: 'Aliases',
      commands: 'Commands',
      flags: 'Options',
      arguments: 'Arguments',
    },
    keywords: { default: 'default', separator: 'separated by' },
    briefs: {
      ...text_en.briefs,
      help: 'Print this help',
      argumentEscapeSequence: 'Take all further words as arguments',
    },
    noCommandRegisteredForInput: ({ input, corrections }) =>
      `${withCorrections(`There is no command "${command} ${input}"`, corrections)} "${command} --help" lists the commands.`,
    exceptionWhileParsingArguments: (error) =>
      error instanceof ArgumentScannerError
        ? isGroup && error instanceof UnexpectedPositionalError
          ? `There is no command "${command} ${error.input}". "${command} --help" lists the commands.`
          : `${explain(error, words)} "${command} --help" shows what it takes.`
        : describe(error),
    exceptionWhileLoadingCommandFunction: describe,
    exceptionWhileRunningCommand: describe,
  };
}

interface CommandTexts {
  readonly isGroup: boolean;
  readonly words: readonly string[];
  readonly missing: (error: unknown) => string | undefined;
}

const explain = (error: ArgumentScannerError, words: readonly string[]) =>
  formatMessageForArgumentScannerError(error, {
    AliasNotFoundError: ({ input }) => `There is no option -${input}.`,
    ArgumentParseError: ({ externalFlagNameOrPlaceholder: name, input, exception }) =>
      `"${input}" is no ${name}: ${(exception as Error).message}.`,
    EnumValidationError: ({ externalFlagName: name, input, values }) =>
      `"${input}" is no ${name}: write one of ${values.join(', ')}.`,
    FlagNotFoundError: ({ input, corrections }) =>
      withCorrections(
        `There is no option --${input}`,
        corrections.map((name) => `--${name}`),
      ),
    UnexpectedFlagError: ({ externalFlagName }) => `--${externalFlagName} is given twice.`,
    UnexpectedPositionalError: ({ input }) => `The argument "${input}" is one too many.`,
    UnsatisfiedFlagError: ({ externalFlagName: name }) =>
      words.some((word) => word === `--${name}`)
        ? `--${name} needs a value.`
        : `The option --${name} is missing.`,
    UnsatisfiedPositionalError: ({ placeholder }) => `The ${placeholder} is missing.`,
  });

const withCorrections = (what: string, corrections: readonly string[]) =>
  corrections.length > 0 ? `${what}: did you mean ${corrections.join(' or ')}?` : `${what}.`;

/** A UserError by its message, a bug with its stack. */
const explanation = (error: unknown) =>
  error instanceof UserError
    ? error.message
    : // An import of node:util would slow down the start of every command.
      process.getBuiltinModule('node:util').inspect(error);

import {
  buildCommand,
  type Command,
  type CommandContext,
  type InputCompletion,
  type StricliProcess,
} from '@stricli/core';

import type { Arguments, ArgumentValues, Flags, FlagValues } from './flags.ts';

/** The context of one run of `bellhop`. */
export interface CommandLine extends CommandContext {
  /** Streams, environment and exit code. */
  readonly process: StricliProcess;
  /** Proposes completions of the last word of a command line; `words` follow `bellhop`. */
  readonly proposeCompletions: (words: readonly string[]) => Promise<readonly InputCompletion[]>;
}

export interface CommandDefinition<F extends Flags, A extends Arguments> {
  /** `--help` prints it below the brief. */
  readonly description: string;
  readonly flags?: F;
  readonly args?: A;
  /**
   * Returns the exit code; undefined means 0. Throws a UserError for failures that the user can
   * mend.
   */
  readonly run: (
    this: CommandLine,
    flags: FlagValues<F>,
    ...args: ArgumentValues<A>
  ) => Promise<number | void>;
}

/** Makes a command. `brief` is its line in the list of commands. */
export type CommandFactory = (brief: string) => Command<CommandLine>;

/** Defines a command. Its flags and arguments say which values `run` gets. */
export const defineCommand =
  <const F extends Flags = {}, const A extends Arguments = []>({
    description,
    flags,
    args = [] as never,
    run,
  }: CommandDefinition<F, A>): CommandFactory =>
  (brief) =>
    buildCommand<FlagValues<F>, ArgumentValues<A>, CommandLine>({
      docs: { brief, fullDescription: `${brief}.\n\n${description.trim()}` },
      parameters: { flags, positional: positionalOf(args) } as never,
      async func(values, ...given) {
        this.process.exitCode = (await run.call(this, values, ...given)) ?? 0;
      },
    });

const positionalOf = (args: Arguments) =>
  'each' in args
    ? { kind: 'array', parameter: args.each, minimum: args.minimum }
    : { kind: 'tuple', parameters: args };

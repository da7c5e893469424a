import {
  type BaseArgs,
  buildCommand,
  type Command,
  type CommandContext,
  type InputCompletion,
  type StricliProcess,
  type TypedCommandParameters,
} from '@stricli/core';

/** The context of one run of `bellhop`. */
export interface CommandLine extends CommandContext {
  /** Streams, environment and exit code. */
  readonly process: StricliProcess;
  /** Proposes completions of the last word of a command line; `words` follow `bellhop`. */
  readonly proposeCompletions: (words: readonly string[]) => Promise<readonly InputCompletion[]>;
}

/** Any object type; Stricli's own constraint. */
type FlagsOf<FLAGS> = Readonly<Partial<Record<keyof FLAGS, unknown>>>;

interface CommandDefinition<FLAGS extends FlagsOf<FLAGS>, ARGS extends BaseArgs> {
  /** `--help` prints it below the brief. */
  readonly description: string;
  readonly parameters: NoInfer<TypedCommandParameters<FLAGS, ARGS, CommandLine>>;
  /**
   * Returns the exit code; undefined means 0. Throws a UserError for failures that the user can
   * mend.
   */
  readonly run: (this: CommandLine, flags: FLAGS, ...args: ARGS) => Promise<number | void>;
}

/** Makes a command. `brief` is its line in the list of commands. */
export type CommandFactory = (brief: string) => Command<CommandLine>;

/** Defines a command. The parameters must fit the flags and arguments that `run` takes. */
export const defineCommand =
  <const FLAGS extends FlagsOf<FLAGS> = NonNullable<unknown>, const ARGS extends BaseArgs = []>({
    description,
    parameters,
    run,
  }: CommandDefinition<FLAGS, ARGS>): CommandFactory =>
  (brief) =>
    buildCommand<FLAGS, ARGS, CommandLine>({
      docs: { brief, fullDescription: `${brief}.\n\n${description.trim()}` },
      parameters,
      async func(flags, ...args) {
        this.process.exitCode = (await run.call(this, flags, ...args)) ?? 0;
      },
    });

import type { ParseArgsOptionsConfig } from 'node:util';

/** One subcommand of `bellhop`. */
export interface Command {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** What stands behind the name: `message [text]`. */
  readonly usage: string;
  /** More for `--help`: options, environment variables, what it prints. */
  readonly help: string;
  readonly options?: ParseArgsOptionsConfig;
  readonly run: (args: Arguments) => Promise<number>;
}
export interface Arguments {
  readonly words: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
}

/** A failure the person at the keyboard can mend: printed as one line, without a stack. */
export class Complaint extends Error {}

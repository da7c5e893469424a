import type { ParseArgsOptionsConfig } from 'node:util';

/** One subcommand of `bellhop`. */
export interface Command {
  /** What stands behind the name: `message [text]`. */
  readonly usage: string;
  /** More for `--help`: options, environment variables, what it prints. */
  readonly help: string;
  readonly options?: ParseArgsOptionsConfig;
  /** Whether it takes words besides options. Default false. */
  readonly takesWords?: boolean;
  readonly run: (args: Arguments) => Promise<number>;
}
export interface Arguments {
  readonly words: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
}

/** A failure the person at the keyboard can mend: printed as it is, without a stack. */
export class Complaint extends Error {}

/** Turns whatever was thrown into a Complaint. */
export function complain(error: unknown): never {
  if (error instanceof Complaint) throw error;
  throw new Complaint(error instanceof Error ? error.message : String(error));
}

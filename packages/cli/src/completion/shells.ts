import { bash, fish, type ShellCompletion, zsh } from '@optique/core/completion';

/** The script that makes each shell complete the words of `bellhop`. */
export const shells = { bash, zsh, fish } satisfies Record<string, ShellCompletion>;
export type Shell = keyof typeof shells;

/** Parses the name of a shell. Throws a SyntaxError. */
export function parseShell(name: string): Shell {
  if (Object.hasOwn(shells, name)) return name as Shell;
  throw new SyntaxError(`write one of ${Object.keys(shells).join(', ')}`);
}

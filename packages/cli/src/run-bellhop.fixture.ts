import { runMain } from '@bellhop/bot-cli/testing';
import { vi } from 'vitest';

import { main } from './bellhop.ts';

/** Runs `bellhop` in this process. Returns its exit code and what it printed, without colours. */
export const runBellhop = (...args: readonly string[]): ReturnType<typeof runMain> =>
  runMain(main, args);

/** Sets environment variables, or removes those that are undefined, until `vi.unstubAllEnvs`. */
export function stubVariables(variables: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
}

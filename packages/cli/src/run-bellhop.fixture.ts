import { runMain } from '@bellhop/bot-cli/testing';

import { main } from './bellhop.ts';

/** Runs `bellhop` in this process. Returns its exit code and what it printed, without colours. */
export const runBellhop = (...args: readonly string[]): ReturnType<typeof runMain> =>
  runMain(main, args);

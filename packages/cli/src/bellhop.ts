import { runCommand } from '@bellhop/bot-cli/command-line';

import { commands } from './commands.ts';

/** Runs a command line. Returns the exit code. */
export const main = (args: readonly string[]): Promise<number> =>
  runCommand(args, {
    commands,
    manifest: new URL('../package.json', import.meta.url),
    missing: (name) =>
      `This installation has no ${name}, which the command needs: it is that of one service alone.`,
  });

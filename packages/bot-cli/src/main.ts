import { runCommand } from './command-line/run-command.ts';
import { botCommands, conformBot, tryMessage } from './commands.ts';

const commands = {
  brief: 'Tools for bots.\nThe server and the other commands are in a clone of Bellhop',
  commands: {
    bot: { brief: 'Run and test bots', commands: botCommands },
    conform: { brief: 'Find what a bot does wrong', commands: { bot: conformBot } },
    try: { brief: 'Try a bot on a chat server', commands: { message: tryMessage } },
  },
};

/** Runs a command line of the project of a bot. Returns the exit code. */
export const main = (args: readonly string[]): Promise<number> =>
  runCommand(args, {
    commands,
    manifest: new URL('../package.json', import.meta.url),
    missing: (name) => `${name} is not installed, which the command needs: run "npm install".`,
  });

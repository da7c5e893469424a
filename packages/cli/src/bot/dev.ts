import { createInterface } from 'node:readline';

import type { Command } from '../command-line/command.ts';
import { untilSignal } from '../until-signal.ts';
import { botPath } from './bot-module.ts';
import { devSession } from './dev/dev-session.ts';
import { environmentBeside } from './environment-beside.ts';

export const devCommand: Command = {
  usage: '[bot.ts] [--record DIR]',
  help: `Runs a bot while you write it. It connects out to the chat server and hears of its messages
through an event queue: no tunnel, no public address. Prints each message and what the bot does;
loads the bot afresh when it or what it imports is saved. Sessions and dialogs go on. In channels it
hears mentions where it is subscribed.

r and Enter gives it the last message again, as a new one; q and Enter, or Ctrl-C, ends.

Read from the .env beside the bot, or the environment:
  BOT_EMAIL, BOT_API_KEY   of the bot user
  BOT_SITE                 the address of the chat server
  BOT_TOKEN                the token of its outgoing webhook
  PORT, HOST               where the bot listens by itself (default 8080, 127.0.0.1): webhooks that
                           arrive there meanwhile are answered with silence

  --record DIR   keep each message as a file, without the token, for "bellhop bot receive"`,
  takesWords: true,
  options: { record: { type: 'string' } },
  async run({ words, options }) {
    const path = await botPath(words);
    const { record } = options;
    const recordDir = typeof record === 'string' ? record : undefined;
    const end = () => process.kill(process.pid, 'SIGTERM');
    let lost = false;
    const code = await untilSignal({
      async start() {
        const session = await devSession({
          path,
          environment: () => environmentBeside(path, process.env),
          recordDir,
          onLost() {
            lost = true;
            end();
          },
        });
        const keys = createInterface({ input: process.stdin });
        keys.on('line', (line) => {
          if (line.trim() === 'r') session.again();
          if (line.trim() === 'q') end();
        });
        return async () => {
          keys.close();
          process.stdin.unref?.();
          await session.stop();
        };
      },
    });
    return lost ? 1 : code;
  },
};

import { createInterface } from 'node:readline';

import { defineCommand } from '../command-line/command.ts';
import { proposeFiles } from '../command-line/file-completion.ts';
import { textFlag } from '../command-line/flags.ts';
import { environmentBeside } from '../environment-beside.ts';
import { untilSignal } from '../until-signal.ts';
import { botModule, botPath } from './bot-module.ts';
import { startDevSession } from './dev/dev-session.ts';

export const dev = defineCommand({
  description: `The bot connects to the chat server and gets its messages through an event queue: no tunnel, no
public address. Prints each message and what the bot does. Loads the bot again when its module, or one
that it imports, is saved; sessions and dialogs go on. A handler that still runs 5 s later is ended, and
the messages behind it go to the new version. Sessions are in a temporary directory, whatever store
the bot has in production, and end with this command, unless --store names a directory for them. In
channels the bot gets mentions where it is subscribed.

r and Enter gives the bot the last message again, as a new one; q and Enter, or Ctrl-C, ends.

Read from the .env beside the bot, or the environment:
  BOT_EMAIL, BOT_API_KEY   of the bot user
  BOT_SITE                 the address of the chat server
  BOT_TOKEN                the token of its outgoing webhook
  PORT, HOST               where the bot listens in production (default 8080, 127.0.0.1): webhooks that
                           arrive there meanwhile get an empty reply, and the bot answers as it does
                           through the queue. The server's retry of a message from before the start is
                           not handled, and printed: another process may have answered it`,
  flags: {
    record: {
      ...textFlag(
        'Keep each message as a file, without the token, for "bellhop bot receive"',
        'directory',
      ),
      proposeCompletions: proposeFiles(),
    },
    store: {
      ...textFlag(
        'Keep sessions, dialogs and tasks there, in the format of fileStore; default: until the end',
        'directory',
      ),
      proposeCompletions: proposeFiles(),
    },
  },
  args: [botModule],
  async run({ record: recordDir, store: storeDir }, module) {
    const path = await botPath(module);
    let isLost = false;
    const code = await untilSignal({
      async start(_stopping, end) {
        const session = await startDevSession({
          path,
          environment: () => environmentBeside(path, process.env),
          recordDir,
          storeDir,
          onLost() {
            isLost = true;
            end();
          },
        });
        const keys = createInterface({ input: process.stdin });
        keys.on('line', (line) => {
          if (line.trim() === 'r') session.repeat();
          if (line.trim() === 'q') end();
        });
        return async () => {
          keys.close();
          process.stdin.unref?.();
          await session.stop();
        };
      },
    });
    return isLost ? 1 : code;
  },
});

import {
  defineCommand,
  listFlag,
  proposeFiles,
  rethrowAsUserError,
  switchFlag,
  textFlag,
  untilSignal,
  valueFlag,
} from '@bellhop/bot-cli/command-line';
import { serveMcp } from '@bellhop/mcp';

import { botLogin, botLoginHelp } from './bot-login.ts';

/** The largest limit that still is one. */
const MAX_WRITES = 600;

export const mcp = defineCommand({
  description: `Speaks the Model Context Protocol on stdin and stdout: assistants, editors and agents start it, and their
model can then search, read and write in the chat as the bot, under the rights of the bot. Works with
any server of the protocol. Every call that writes is a line of JSON on stderr.

${botLoginHelp}

docs/mcp.md has the configuration of clients, the tools and their limits.`,
  flags: {
    login: {
      ...textFlag('A file with the login of the bot', 'file'),
      proposeCompletions: proposeFiles(),
    },
    readOnly: switchFlag('Leave out the tools that write'),
    channels: listFlag(
      'Only this channel, by name or ID, and no direct messages; may be given several times',
      'channel',
    ),
    writesPerMinute: valueFlag(
      'How many writing calls a minute may have',
      'count',
      parseWrites,
      '20',
    ),
  },
  async run({ login: file, readOnly, channels, writesPerMinute }) {
    const login = await botLogin(file);
    return untilSignal({
      async start(_stopping, end) {
        const running = await serveMcp({
          ...login,
          ...(channels && { channels }),
          readOnly,
          writesPerMinute,
          audit: (record) => console.error(JSON.stringify(record)),
          warn: (text) => console.error(text),
        }).catch(rethrowAsUserError);
        void running.closed.then(end);
        if (process.stdin.isTTY)
          console.error(
            'Waiting for an MCP client on stdin, which starts this command: see docs/mcp.md.',
          );
        return () => running.close();
      },
    });
  },
});

/** Parses a limit of calls. Throws a SyntaxError. */
function parseWrites(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count > 0 && count <= MAX_WRITES) return count;
  throw new SyntaxError(`write a number from 1 to ${MAX_WRITES}`);
}

import { ban as banServers, unban as unbanServers } from '@bellhop/bouncer/operator';

import { defineCommand } from '../../command-line/command.ts';
import { argument, valueFlag } from '../../command-line/flags.ts';
import { databaseHelp, operateBouncer } from '../operate-bouncer.ts';

const subject = argument(
  'subject',
  'ID of a chat server, or host name: * stands for any characters, as in *.example.com',
);

export const ban = defineCommand({
  description: `A banned server can neither register nor call, from its next request on. Its data stays.\n${databaseHelp}`,
  flags: {
    reason: valueFlag('Why; for you, in the list and in the audit log', 'text', String, ''),
  },
  args: [subject],
  async run({ reason }, banned) {
    const met = await operateBouncer((operator) => banServers(operator, banned, reason));
    console.log(
      met.length === 0
        ? `"${banned}" is banned: no registered server is affected.`
        : `"${banned}" is banned, and so are these servers: ${met.join(', ')}.`,
    );
  },
});

export const unban = defineCommand({
  description: `Takes a ban back, as it was written.\n${databaseHelp}`,
  args: [subject],
  async run(_flags, banned) {
    await operateBouncer((operator) => unbanServers(operator, banned));
    console.log(`"${banned}" is no longer banned.`);
  },
});

import { ban as banServers, unban as unbanServers } from '@bellhop/bouncer/operator';

import { defineCommand } from '../../command-line/command.ts';
import { databaseHelp, operateBouncer } from '../operate-bouncer.ts';

interface BanFlags {
  readonly reason: string;
}

const subjectArgument = {
  kind: 'tuple',
  parameters: [
    {
      parse: String,
      brief: 'ID of a chat server, or host name: * stands for any characters, as in *.example.com',
      placeholder: 'subject',
    },
  ],
} as const;

export const ban = defineCommand<BanFlags, [subject: string]>({
  description: `A banned server can neither register nor call, from its next request on. Its data stays.\n${databaseHelp}`,
  parameters: {
    positional: subjectArgument,
    flags: {
      reason: {
        kind: 'parsed',
        parse: String,
        brief: 'Why; for you, in the list and in the audit log',
        placeholder: 'text',
        default: '',
      },
    },
  },
  async run({ reason }, subject) {
    const met = await operateBouncer((operator) => banServers(operator, subject, reason));
    console.log(
      met.length === 0
        ? `"${subject}" is banned: no registered server is affected.`
        : `"${subject}" is banned, and so are these servers: ${met.join(', ')}.`,
    );
  },
});

export const unban = defineCommand<NonNullable<unknown>, [subject: string]>({
  description: `Takes a ban back, as it was written.\n${databaseHelp}`,
  parameters: { positional: subjectArgument },
  async run(_flags, subject) {
    await operateBouncer((operator) => unbanServers(operator, subject));
    console.log(`"${subject}" is no longer banned.`);
  },
});

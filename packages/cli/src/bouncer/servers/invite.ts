import { invite as inviteServer } from '@bellhop/bouncer/operator';

import { defineCommand } from '../../command-line/command.ts';
import { valueFlag } from '../../command-line/flags.ts';
import { parseUuid } from '../../command-line/parse-flag.ts';
import { databaseHelp, operateBouncer } from '../operate-bouncer.ts';

const MAX_HOURS = 24 * 365;

export const invite = defineCommand({
  description: `Prints a token that works once: the chat server sets it as BELLHOP_BOUNCER_REGISTRATION_TOKEN. Only its hash is stored.
With --server, the server with that ID (BELLHOP_BOUNCER_ORG_ID) may register, without a token: for servers that cannot send one.
${databaseHelp}`,
  flags: {
    hours: valueFlag('How long the invitation is valid', 'number', parseHours, '72'),
    server: valueFlag('ID of the only chat server that may use it', 'id', parseUuid),
  },
  async run({ hours, server }) {
    const { token, expires_at } = await operateBouncer((operator) =>
      inviteServer(operator, { validMs: hours * 3_600_000, serverUuid: server }),
    );
    const end = `${expires_at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
    console.log(
      token === undefined
        ? `The chat server ${server} may register, once, until ${end}.`
        : `# The chat server that has this may register, once, until ${end}.
BELLHOP_BOUNCER_REGISTRATION_TOKEN=${token}`,
    );
  },
});

function parseHours(text: string): number {
  const hours = Number(text);
  if (hours > 0 && hours <= MAX_HOURS) return hours;
  throw new SyntaxError(`write a number of hours up to ${MAX_HOURS}`);
}

import { listInvitations, revoke as revokeInvitation } from '@bellhop/bouncer/operator';

import { defineCommand } from '../../command-line/command.ts';
import { argument } from '../../command-line/flags.ts';
import { parseNumber } from '../../command-line/parse-flag.ts';
import { printRows } from '../../command-line/print-rows.ts';
import { databaseHelp, jsonFlag, operateBouncer } from '../operate-bouncer.ts';

export const invitations = defineCommand({
  description: `Prints those that can still be used, with the number that "revoke" takes. Their tokens are not stored.\n${databaseHelp}`,
  flags: jsonFlag,
  async run({ json }) {
    const open = await operateBouncer(listInvitations);
    if (!json && open.length === 0) console.log('No invitation is open.');
    printRows(open, { json });
  },
});

export const revoke = defineCommand({
  description: `Nobody can register with the invitation any more. A server that has used it stays registered: ban it.\n${databaseHelp}`,
  args: [argument('number', 'As "invitations" prints it', parseNumber)],
  async run(_flags, number) {
    await operateBouncer((operator) => revokeInvitation(operator, number));
    console.log(`Invitation ${number} is revoked.`);
  },
});

import { listBans } from '@bellhop/bouncer/operator';

import { defineCommand } from '../../command-line/command.ts';
import { printRows } from '../../command-line/print-rows.ts';
import { databaseHelp, jsonFlag, operateBouncer } from '../operate-bouncer.ts';

export const bans = defineCommand({
  description: `Prints each as "unban" takes it back, with its reason.\n${databaseHelp}`,
  flags: jsonFlag,
  async run({ json }) {
    const banned = await operateBouncer(({ database }) => listBans(database.kysely));
    if (!json && banned.length === 0) console.log('Nobody is banned.');
    printRows(banned, { json });
  },
});

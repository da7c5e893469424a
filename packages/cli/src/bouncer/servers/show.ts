import { showServer } from '@bellhop/bouncer/operator';

import { defineCommand } from '../../command-line/command.ts';
import { printRows } from '../../command-line/print-rows.ts';
import { databaseHelp, jsonFlag, operateBouncer } from '../operate-bouncer.ts';
import { serverArgument } from './server-argument.ts';

export const show = defineCommand({
  description: `Prints its facts, its realms with their living devices, its quotas and what it has used of them, and the latest entries of the audit log.\n${databaseHelp}`,
  flags: jsonFlag,
  args: [serverArgument],
  async run({ json }, subject) {
    const shown = await operateBouncer(({ database }) => showServer(database.kysely, subject));
    if (json) {
      console.log(JSON.stringify(shown));
      return;
    }
    const { server, realms, quotas, audit } = shown;
    printRows(
      Object.entries(server).map(([fact, value]) => ({ fact, value })),
      { json },
    );
    console.log('\nRealms:');
    printRows(realms, { json });
    console.log('\nQuotas:');
    printRows(quotas, { json });
    console.log('\nLatest actions:');
    printRows(
      audit.map(({ at, actor, action, detail }) => ({ at, actor, action, detail })),
      { json },
    );
  },
});

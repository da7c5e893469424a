import { listServers } from '@bellhop/bouncer/operator';

import { defineCommand } from '../../command-line/command.ts';
import { printRows } from '../../command-line/print-rows.ts';
import { databaseHelp, jsonFlag, operateBouncer } from '../operate-bouncer.ts';

export const list = defineCommand({
  description: `Prints ID, host name, state, realms and living devices of each, the newest first.\n${databaseHelp}`,
  flags: jsonFlag,
  async run({ json }) {
    const servers = await operateBouncer(({ database }) => listServers(database.kysely));
    if (!json && servers.length === 0) console.log('No chat server is registered.');
    printRows(
      json
        ? servers
        : servers.map(({ contact_email: _email, version: _version, ...columns }) => columns),
      { json },
    );
  },
});

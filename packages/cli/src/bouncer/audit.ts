import { findServer, latestEntries } from '@bellhop/bouncer/operator';

import { defineCommand } from '../command-line/command.ts';
import { textFlag, valueFlag } from '../command-line/flags.ts';
import { parseNumber } from '../command-line/parse-flag.ts';
import { printRows } from '../command-line/print-rows.ts';
import { databaseHelp, jsonFlag, operateBouncer } from './operate-bouncer.ts';

export const audit = defineCommand({
  description: `Prints who did what to which server, realm, device or key, the newest first.\n${databaseHelp}`,
  flags: {
    server: textFlag('ID or host name of a chat server: only what was done to it', 'server'),
    limit: valueFlag('At most so many', 'number', parseNumber, '100'),
    ...jsonFlag,
  },
  async run({ server, limit, json }) {
    const entries = await operateBouncer(async ({ database: { kysely } }) => {
      const serverUuid =
        server === undefined ? undefined : (await findServer(kysely, server)).server_uuid;
      return latestEntries(kysely, { serverUuid, limit });
    });
    if (!json && entries.length === 0) console.log('The audit log has no such entry.');
    printRows(entries, { json });
  },
});

import { listDevices } from '@bellhop/bouncer/operator';

import { defineCommand } from '../../command-line/command.ts';
import { valueFlag } from '../../command-line/flags.ts';
import { parseNumber, parseUuid } from '../../command-line/parse-flag.ts';
import { printRows } from '../../command-line/print-rows.ts';
import { databaseHelp, jsonFlag, operateBouncer } from '../operate-bouncer.ts';

const uuid = (brief: string) => valueFlag(brief, 'id', parseUuid);

export const list = defineCommand({
  description: `In the order of their IDs. token_hash names the token in the log of the bouncer.\n${databaseHelp}`,
  flags: {
    server: uuid('Only those of the chat server with this ID'),
    realm: uuid('Only those of the realm with this ID'),
    after: valueFlag('Only those with an ID above this one', 'number', parseNumber, '0'),
    limit: valueFlag('At most so many', 'number', parseNumber, '100'),
    ...jsonFlag,
  },
  async run({ server, realm, after, limit, json }) {
    const filter = { serverUuid: server, realmUuid: realm, after, limit };
    const devices = await operateBouncer(({ database }) => listDevices(database.kysely, filter));
    if (!json && devices.length === 0) console.log('There is no such device.');
    printRows(devices, { json });
  },
});

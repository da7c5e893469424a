import { listDevices } from '@bellhop/bouncer/operator';

import { defineCommand } from '../../command-line/command.ts';
import { parseNumber, parseUuid } from '../../command-line/parse-flag.ts';
import { printRows } from '../../command-line/print-rows.ts';
import { databaseHelp, jsonFlag, operateBouncer } from '../operate-bouncer.ts';

interface Flags {
  readonly server?: string;
  readonly realm?: string;
  readonly after: number;
  readonly limit: number;
  readonly json: boolean;
}

const uuid = (brief: string) =>
  ({ kind: 'parsed', parse: parseUuid, brief, placeholder: 'id', optional: true }) as const;
const number = (brief: string, byDefault: string) =>
  ({
    kind: 'parsed',
    parse: parseNumber,
    brief,
    placeholder: 'number',
    default: byDefault,
  }) as const;

export const list = defineCommand<Flags>({
  description: `In the order of their IDs. token_hash names the token in the log of the bouncer.\n${databaseHelp}`,
  parameters: {
    flags: {
      server: uuid('Only those of the chat server with this ID'),
      realm: uuid('Only those of the realm with this ID'),
      after: number('Only those with an ID above this one', '0'),
      limit: number('At most so many', '100'),
      ...jsonFlag,
    },
  },
  async run({ server, realm, after, limit, json }) {
    const filter = { serverUuid: server, realmUuid: realm, after, limit };
    const devices = await operateBouncer(({ database }) => listDevices(database.kysely, filter));
    if (!json && devices.length === 0) console.log('There is no such device.');
    printRows(devices, { json });
  },
});

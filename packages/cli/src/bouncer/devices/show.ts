import { showDevice } from '@bellhop/bouncer/operator';

import { defineCommand } from '../../command-line/command.ts';
import { printRows } from '../../command-line/print-rows.ts';
import { databaseHelp, jsonFlag, operateBouncer } from '../operate-bouncer.ts';
import { deviceArgument } from './device-argument.ts';

export const show = defineCommand({
  description: `Prints what is stored about it, without its token.\n${databaseHelp}`,
  flags: jsonFlag,
  args: [deviceArgument],
  async run({ json }, deviceId) {
    const device = await operateBouncer(({ database }) => showDevice(database.kysely, deviceId));
    const facts = Object.entries(device).map(([fact, value]) => ({ fact, value }));
    printRows(json ? [device] : facts, { json });
  },
});

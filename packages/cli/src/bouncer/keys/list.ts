import { listKeys } from '@bellhop/bouncer/operator';

import { defineCommand } from '../../command-line/command.ts';
import { printRows } from '../../command-line/print-rows.ts';
import { jsonFlag, keysHelp, operateBouncer } from '../operate-bouncer.ts';

export const list = defineCommand({
  description: `The newest first. A key can be retired when no living device registered with it: until then, an app with that key is in use.\n${keysHelp}`,
  flags: jsonFlag,
  async run(flags) {
    const keys = await operateBouncer(({ database }, config) => listKeys(database.kysely, config));
    if (!flags.json && keys.length === 0) console.log('There is no key.');
    printRows(keys, flags);
  },
});

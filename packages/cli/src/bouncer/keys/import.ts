import { importKeys as importPairs } from '@bellhop/bouncer/operator';

import { defineCommand } from '../../command-line/command.ts';
import { UserError } from '../../command-line/user-error.ts';
import { keysHelp, operateBouncer } from '../operate-bouncer.ts';

export const importKeys = defineCommand({
  description: `Stores them encrypted. Then the bouncer no longer needs BELLHOP_BOUNCER_KEYS. A pair that was retired is used again.\n${keysHelp}`,
  async run() {
    const imported = await operateBouncer({
      work: importPairs,
      check({ keys }) {
        if (Object.keys(keys).length === 0) throw new UserError('BELLHOP_BOUNCER_KEYS is not set.');
      },
    });
    for (const publicKey of imported) console.log(publicKey);
    if (imported.length === 0) console.log('All pairs of BELLHOP_BOUNCER_KEYS are stored already.');
  },
});

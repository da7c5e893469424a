import { defineCommand, switchFlag, UserError } from '@bellhop/bot-cli/command-line';
import { importKeys as importPairs } from '@bellhop/bouncer/operator';

import { keysHelp, operateBouncer } from '../operate-bouncer.ts';

export const importKeys = defineCommand({
  description: `Stores them encrypted. Then the bouncer no longer needs BELLHOP_BOUNCER_KEYS.\n${keysHelp}`,
  flags: {
    force: switchFlag('Use pairs again that were retired'),
  },
  async run({ force: isForced }) {
    const { imported, retired } = await operateBouncer({
      work: (operator, config) => importPairs(operator, config, { isForced }),
      check({ keys }) {
        if (Object.keys(keys).length === 0) throw new UserError('BELLHOP_BOUNCER_KEYS is not set.');
      },
    });
    for (const publicKey of imported) console.log(publicKey);
    if (retired.length > 0)
      throw new UserError(
        `${retired.join(', ')} ${retired.length === 1 ? 'was retired, so it was' : 'were retired, so they were'} not imported. Take ${retired.length === 1 ? 'it' : 'them'} out of BELLHOP_BOUNCER_KEYS, or use ${retired.length === 1 ? 'it' : 'them'} again with "bellhop bouncer keys import --force".`,
      );
    if (imported.length === 0) console.log('All pairs of BELLHOP_BOUNCER_KEYS are stored already.');
  },
});

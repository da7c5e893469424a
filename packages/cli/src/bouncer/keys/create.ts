import { createKey } from '@bellhop/bouncer/operator';

import { defineCommand } from '../../command-line/command.ts';
import { switchFlag } from '../../command-line/flags.ts';
import { keysHelp, operateBouncer } from '../operate-bouncer.ts';

export const create = defineCommand({
  description: `Ship the public key with the next release of the apps; running bouncers accept it within a second or two. The private key is stored encrypted and never printed.\n${keysHelp}`,
  flags: {
    force: switchFlag(
      'Make it although the stored pairs cannot be opened: their encryption key is lost',
    ),
  },
  async run({ force: isForced }) {
    console.log(
      await operateBouncer((operator, config) => createKey(operator, config, { isForced })),
    );
  },
});

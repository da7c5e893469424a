import { createKey } from '@bellhop/bouncer/operator';

import { defineCommand } from '../../command-line/command.ts';
import { keysHelp, operateBouncer } from '../operate-bouncer.ts';

export const create = defineCommand({
  description: `Ship the public key with the next release of the apps; running bouncers accept it within a second or two. The private key is stored encrypted and never printed.\n${keysHelp}`,
  async run() {
    console.log(await operateBouncer(createKey));
  },
});

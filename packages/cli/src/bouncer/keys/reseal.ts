import { defineCommand } from '@bellhop/bot-cli/command-line';
import { resealKeys } from '@bellhop/bouncer/operator';

import { keysHelp, operateBouncer } from '../operate-bouncer.ts';

export const reseal = defineCommand({
  description: `Encrypts them with the first key of BELLHOP_BOUNCER_ENCRYPTION_KEY; the old one must follow it, behind a comma. Give the bouncers both keys first, and remove the old one afterwards.\n${keysHelp}`,
  async run() {
    const count = await operateBouncer({ work: resealKeys, makesDatabase: false });
    if (count === 0)
      console.log(
        'Every key pair is encrypted with the first key of BELLHOP_BOUNCER_ENCRYPTION_KEY already. To replace that key, put the new one before it.',
      );
    else
      console.log(
        `${count === 1 ? '1 key pair is' : `${count} key pairs are`} encrypted with the new key.`,
      );
  },
});

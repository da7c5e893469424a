import { defineCommand, switchFlag } from '@bellhop/bot-cli/command-line';
import { createKey } from '@bellhop/bouncer/operator';

import { keysHelp, operateBouncer } from '../operate-bouncer.ts';

export const first = defineCommand({
  description: `Ship the public key, which it prints, with the apps. The private key is stored encrypted and never printed. While the bouncer runs, "bellhop bouncer keys create" does the same.\n${keysHelp}`,
  flags: {
    force: switchFlag(
      'Give up the stored pairs that cannot be opened, because their encryption key is lost',
    ),
  },
  async run({ force: isForced }) {
    console.log(
      await operateBouncer({
        work: (operator, config) => createKey(operator, config, { isForced }),
      }),
    );
  },
});

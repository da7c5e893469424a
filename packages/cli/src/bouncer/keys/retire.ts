import { retire as retireKey } from '@bellhop/bouncer/operator';

import { defineCommand } from '../../command-line/command.ts';
import { argument, switchFlag } from '../../command-line/flags.ts';
import { keysHelp, operateBouncer } from '../operate-bouncer.ts';

export const retire = defineCommand({
  description: `Phones whose app has the key then get INVALID_BOUNCER_PUBLIC_KEY when they register; registered phones get their notifications. Refuses while devices use the key. Only a copy of the pair in BELLHOP_BOUNCER_KEYS, with "bellhop bouncer keys import", brings it back.\n${keysHelp}`,
  flags: { force: switchFlag('Retire it although devices use it') },
  args: [argument('public-key', 'Public key')],
  async run({ force }, publicKey) {
    await operateBouncer((operator, { keys }) =>
      retireKey(operator, { publicKey, keys, isForced: force }),
    );
    console.log(`${publicKey} is retired.`);
  },
});

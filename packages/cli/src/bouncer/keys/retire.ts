import { retire as retireKey } from '@bellhop/bouncer/operator';

import { defineCommand } from '../../command-line/command.ts';
import { keysHelp, operateBouncer } from '../operate-bouncer.ts';

interface Flags {
  readonly force: boolean;
}

export const retire = defineCommand<Flags, [publicKey: string]>({
  description: `Phones whose app has the key then get INVALID_BOUNCER_PUBLIC_KEY when they register; registered phones get their notifications. Refuses while devices use the key. Only a copy of the pair in BELLHOP_BOUNCER_KEYS, with "bellhop bouncer keys import", brings it back.\n${keysHelp}`,
  parameters: {
    positional: {
      kind: 'tuple',
      parameters: [{ parse: String, brief: 'Public key', placeholder: 'public-key' }],
    },
    flags: {
      force: { kind: 'boolean', brief: 'Retire it although devices use it', default: false },
    },
  },
  async run({ force }, publicKey) {
    await operateBouncer((operator, { keys }) =>
      retireKey(operator, { publicKey, keys, isForced: force }),
    );
    console.log(`${publicKey} is retired.`);
  },
});

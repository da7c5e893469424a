import type { CommandGroup } from '@bellhop/bot-cli/command-line';

import { operatorGroups } from '../operator/operator-tree.ts';

/** `bellhop bouncer keys`. */
export const bouncerKeys: CommandGroup = {
  brief: operatorGroups.keys.brief,
  commands: {
    ...operatorGroups.keys.commands,
    first: {
      brief: 'Make the first key pair, before the bouncer runs',
      load: async () => (await import('./first.ts')).first,
    },
    import: {
      brief: 'Move the pairs of BELLHOP_BOUNCER_KEYS into the database',
      load: async () => (await import('./import.ts')).importKeys,
    },
    reseal: {
      brief: 'Encrypt the stored pairs with a new BELLHOP_BOUNCER_ENCRYPTION_KEY',
      load: async () => (await import('./reseal.ts')).reseal,
    },
  },
};

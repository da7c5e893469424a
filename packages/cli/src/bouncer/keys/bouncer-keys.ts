import type { CommandGroup } from '../../command-line/command-tree.ts';

/** `bellhop bouncer keys`. */
export const bouncerKeys: CommandGroup = {
  brief: 'Rotate the key pairs that phones encrypt their registrations for',
  commands: {
    create: {
      brief: 'Make a key pair in the database and print its public key',
      load: async () => (await import('./create.ts')).create,
    },
    list: {
      brief: 'List the keys with their devices, and whether they can be retired',
      load: async () => (await import('./list.ts')).list,
    },
    retire: {
      brief: 'Delete the private key of a pair that no app uses',
      load: async () => (await import('./retire.ts')).retire,
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

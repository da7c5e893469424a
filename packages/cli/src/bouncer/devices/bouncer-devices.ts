import type { CommandGroup } from '../../command-line/command-tree.ts';

/** `bellhop bouncer devices`. */
export const bouncerDevices: CommandGroup = {
  brief: 'Look at the devices of the push bouncer and delete them',
  commands: {
    list: {
      brief: 'List devices, without their tokens',
      load: async () => (await import('./list.ts')).list,
    },
    show: {
      brief: 'Show a device',
      load: async () => (await import('./show.ts')).show,
    },
    delete: {
      brief: 'Delete a device with all that is stored about it',
      load: async () => (await import('./delete.ts')).deleteOne,
    },
  },
};

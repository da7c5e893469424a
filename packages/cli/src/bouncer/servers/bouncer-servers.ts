import type { CommandGroup } from '../../command-line/command-tree.ts';

/** `bellhop bouncer servers`. */
export const bouncerServers: CommandGroup = {
  brief: 'Decide which chat servers may use the push bouncer',
  commands: {
    list: {
      brief: 'List the chat servers that are registered',
      load: async () => (await import('./list.ts')).list,
    },
    show: {
      brief: 'Show a chat server with its realms, and what was done to it',
      load: async () => (await import('./show.ts')).show,
    },
    invite: {
      brief: 'Let one chat server register, once',
      load: async () => (await import('./invite.ts')).invite,
    },
    invitations: {
      brief: 'List the invitations that can still be used',
      load: async () => (await import('./invitations.ts')).invitations,
    },
    revoke: {
      brief: 'Take an invitation back',
      load: async () => (await import('./invitations.ts')).revoke,
    },
    ban: {
      brief: 'Refuse a chat server, or host names',
      load: async () => (await import('./ban.ts')).ban,
    },
    unban: {
      brief: 'Take a ban back',
      load: async () => (await import('./ban.ts')).unban,
    },
    bans: {
      brief: 'List the bans',
      load: async () => (await import('./bans.ts')).bans,
    },
    'set-quota': {
      brief: 'Set quotas of a chat server',
      load: async () => (await import('./set-quota.ts')).setQuota,
    },
    export: {
      brief: 'Print all that is stored about a chat server, as JSON lines',
      load: async () => (await import('./export.ts')).exportServer,
    },
    delete: {
      brief: 'Delete a chat server, or one of its realms, with all data',
      load: async () => (await import('./delete.ts')).deleteServers,
    },
    activate: {
      brief: 'Let a deactivated chat server in again',
      load: async () => (await import('./set-active.ts')).activate,
    },
    deactivate: {
      brief: 'End the registration of a chat server, and keep its data',
      load: async () => (await import('./set-active.ts')).deactivate,
    },
  },
};

import type { CommandGroup } from '@bellhop/bot-cli/command-line';
import { botCommands, conformBot, tryMessage } from '@bellhop/bot-cli/commands';

import { bouncerKeys } from './bouncer/keys/bouncer-keys.ts';
import { operatorGroups } from './bouncer/operator/operator-tree.ts';

/** Every command of `bellhop`. A command's module is imported when the command runs. */
export const commands: CommandGroup = {
  brief:
    'A chat server, a push bouncer, and tools for bots.\n"bellhop --version" prints the version',
  commands: {
    sandbox: {
      brief: 'Start everything on this machine, to try and to develop against',
      load: async () => (await import('./sandbox/sandbox.ts')).sandbox,
    },
    try: {
      brief: 'Try a running sandbox, or a bot on another server',
      commands: {
        message: tryMessage,
        push: {
          brief: 'Send an encrypted test notification and show what each phone decrypts',
          load: async () => (await import('./try/push.ts')).push,
        },
      },
    },
    server: {
      brief: 'Run the chat server',
      default: 'run',
      commands: {
        run: {
          brief: 'Run the chat server; the default',
          load: async () => (await import('./server/server.ts')).server,
        },
        'move-database': {
          brief: 'Move from the embedded PostgreSQL to one of your own',
          load: async () => (await import('./server/move-database.ts')).moveServerDatabase,
        },
        doctor: {
          brief: 'Check configuration, database, files, mail and network, and say what to repair',
          load: async () => (await import('./server/doctor.ts')).doctor,
        },
        distribute: {
          brief: 'Print the statements that place organizations on the nodes of Citus',
          load: async () => (await import('./server/distribute.ts')).distribute,
        },
      },
    },
    realm: {
      brief: 'Move and lock organizations of a chat server, reset passwords',
      commands: {
        deactivate: {
          brief: 'Lock everybody out of an organization',
          load: async () => (await import('./realm/set-realm-active.ts')).deactivate,
        },
        reactivate: {
          brief: 'Let the users of a deactivated organization in again',
          load: async () => (await import('./realm/set-realm-active.ts')).reactivate,
        },
        grant: {
          brief: 'Give somebody the right to create users or to change addresses',
          load: async () => (await import('./realm/set-account-right.ts')).grant,
        },
        revoke: {
          brief: 'Take such a right away',
          load: async () => (await import('./realm/set-account-right.ts')).revoke,
        },
        'reset-password': {
          brief: 'Print a link with which somebody chooses a new password',
          load: async () => (await import('./realm/reset-password.ts')).resetPassword,
        },
        export: {
          brief: 'Write an organization, or the data of one person, into a folder',
          load: async () => (await import('./realm/export.ts')).exportRealm,
        },
        import: {
          brief: 'Make an organization of an export',
          load: async () => (await import('./realm/import.ts')).importRealm,
        },
        'erase-person': {
          brief: 'Erase the data of a person for good',
          load: async () => (await import('./realm/erase-person.ts')).erasePerson,
        },
        'import-slack': {
          brief: 'Make an organization of the export of a Slack workspace',
          load: async () => (await import('./realm/import-slack.ts')).importSlack,
        },
      },
    },
    files: {
      brief: 'Move uploaded files between the database and an S3 store',
      commands: {
        move: {
          brief: 'Move all files to s3 or to the database',
          load: async () => (await import('./files/move.ts')).move,
        },
      },
    },
    bouncer: {
      brief: 'Run the push bouncer, and decide who may use it',
      default: 'run',
      commands: {
        run: {
          brief: 'Run the push bouncer; the default',
          load: async () => (await import('./bouncer/bouncer.ts')).bouncer,
        },
        ...operatorGroups,
        keys: bouncerKeys,
        'move-database': {
          brief: 'Move from the embedded PostgreSQL to one of your own',
          load: async () => (await import('./bouncer/move-database.ts')).moveBouncerDatabase,
        },
        doctor: {
          brief: 'Check configuration, database, network and credentials, and say what to repair',
          load: async () => (await import('./bouncer/doctor.ts')).doctor,
        },
      },
    },
    bot: {
      brief: 'Make, run and test bots',
      commands: {
        new: {
          brief: 'Make a project for a bot, with a test that passes',
          load: async () => (await import('./bot/new.ts')).newBot,
        },
        ...botCommands,
        'fake-server': {
          brief: 'Run a chat server in memory, to test a bot against',
          load: async () => (await import('./bot/fake-server.ts')).fakeServer,
        },
      },
    },
    mcp: {
      brief: 'Let an agent read and write in the chat as a bot, by MCP',
      load: async () => (await import('./mcp/mcp.ts')).mcp,
    },
    simulator: {
      brief: 'Simulate FCM, APNs and Web Push alone, with faults on demand',
      default: 'start',
      commands: {
        start: {
          brief:
            'Start simulated FCM, APNs and Web Push and print what a bouncer needs to use them',
          load: async () => (await import('./simulator/start.ts')).start,
        },
        fault: {
          brief: 'Make the simulated providers fail',
          commands: {
            list: {
              brief: 'List every fault with its explanation, and those that are on',
              load: async () => (await import('./simulator/fault-list.ts')).faultList,
            },
            set: {
              brief: 'Switch a fault on',
              load: async () => (await import('./simulator/fault-set.ts')).faultSet,
            },
            clear: {
              brief: 'Switch one fault off, or all',
              load: async () => (await import('./simulator/fault-clear.ts')).faultClear,
            },
          },
        },
        play: {
          brief: 'Play a scenario of faults in a running simulator',
          load: async () => (await import('./simulator/play.ts')).play,
        },
        log: {
          brief: 'Show the requests to the simulated providers',
          load: async () => (await import('./simulator/log.ts')).log,
        },
      },
    },
    device: {
      brief: 'Simulate phones and browsers',
      commands: {
        add: {
          brief: 'Add a phone of a user and register it with the chat server',
          load: async () => (await import('./device/add.ts')).add,
        },
        list: {
          brief: 'List the phones with their state at server and provider',
          load: async () => (await import('./device/list.ts')).list,
        },
        watch: {
          brief: 'Show what phones receive, decrypted, as it comes',
          load: async () => (await import('./device/watch.ts')).watch,
        },
        rotate: {
          brief: 'Give a phone new keys and register it again',
          load: async () => (await import('./device/rotate.ts')).rotate,
        },
        remove: {
          brief: 'Forget a phone, and end its registration',
          load: async () => (await import('./device/remove.ts')).remove,
        },
        uninstall: {
          brief: 'Remove the app from a phone',
          load: async () => (await import('./device/uninstall.ts')).uninstall,
        },
        offline: {
          brief: 'Take a phone offline',
          load: async () => (await import('./device/set-online.ts')).offline,
        },
        online: {
          brief: 'Take a phone online',
          load: async () => (await import('./device/set-online.ts')).online,
        },
      },
    },
    trace: {
      brief: 'Show the way of a push over server, bouncer, provider and phone',
      load: async () => (await import('./trace/trace.ts')).trace,
    },
    conform: {
      brief: 'Find what a bot, a server or a bouncer does wrong',
      commands: {
        bot: conformBot,
        server: {
          brief: 'Play phones against any chat server and say what it does wrong',
          load: async () => (await import('./conform/server.ts')).conformServerCommand,
        },
        bouncer: {
          brief: 'Play a chat server against any bouncer and say what it does wrong',
          load: async () => (await import('./conform/bouncer.ts')).conformBouncerCommand,
        },
      },
    },
    secrets: {
      brief: 'Print new secrets for a server and a bouncer',
      load: async () => (await import('./secrets/secrets.ts')).secrets,
    },
    completion: {
      brief: 'Print the script that completes bellhop commands in a shell',
      load: async () => (await import('./completion/completion.ts')).completion,
    },
    complete: {
      brief: 'Propose what the last word of a command line may become',
      hidden: true,
      load: async () => (await import('./completion/complete.ts')).complete,
    },
  },
};

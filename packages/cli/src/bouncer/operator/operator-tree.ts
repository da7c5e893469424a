import type { CommandGroup } from '@bellhop/bot-cli/command-line';
import type { BouncerOperator } from '@bellhop/protocol';

/** The line of each operation in the lists of commands: its summary in the contract. */
export const summaries = {
  servers: {
    list: 'List the chat servers, the newest first',
    show: 'Show a chat server with its realms, its quotas and what was done to it',
    setActive: 'Deactivate a chat server, or activate it again',
    setQuotas: 'Set quotas of a chat server',
    export: 'Export all that is stored about a chat server, or one of its realms',
    delete: 'Delete a chat server with its realms, their devices and all data',
    deleteRealm: 'Delete a realm of a chat server with its devices and all data',
  },
  devices: {
    list: 'List devices in the order of their IDs, without their tokens',
    show: 'Show a device, without its token',
    delete: 'Delete a device with all that is stored about it',
    sendTest: 'Send a device a test notification, and say what its provider answers',
  },
  apps: { list: 'List the apps with the state of their credentials, and their devices' },
  keys: {
    list: 'List the key ring, with what speaks against retiring a key',
    create: 'Make a key pair for registrations',
    retire: 'Delete the private key of a pair',
  },
  lanes: { list: 'Count the notifications that wait, by provider' },
  queue: {
    list: 'List notifications of the queue, the oldest first',
    replay: 'Send notifications of the queue now',
  },
  outcomes: { list: 'Count what became of notifications over time' },
  pushes: {
    list: 'List the latest notifications with every attempt and its verdict, newest first',
  },
  feedback: { list: 'Read the latest entries of the feedback logs of all chat servers' },
  audit: { list: 'Read the latest entries of the audit log' },
  access: {
    list: 'List bans and open invitations',
    ban: 'Refuse a chat server, or those of a host name',
    unban: 'Take a ban back',
    invite: 'Let a chat server register, once',
    revoke: 'Take an invitation back',
  },
} as const satisfies {
  readonly [R in Exclude<keyof BouncerOperator, 'session'>]: {
    readonly [N in keyof BouncerOperator[R]]: string;
  };
};

const briefs: Readonly<Record<keyof typeof summaries, string>> = {
  servers: 'The chat servers that use the push bouncer',
  devices: 'The devices that are registered',
  apps: 'The apps, and the credentials that serve them',
  keys: 'The key pairs that phones encrypt their registrations for',
  lanes: 'How many notifications wait',
  queue: 'The notifications that wait, or were given up',
  outcomes: 'What became of notifications',
  pushes: 'The latest notifications',
  feedback: 'What chat servers read about their notifications',
  audit: 'Who did what to chat servers, devices and keys',
  access: 'Who may use the push bouncer',
};

const kebab = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** `bellhop bouncer RESOURCE VERB` for each operation of the operator's contract. */
export const operatorGroups: Readonly<Record<keyof typeof summaries, CommandGroup>> =
  Object.fromEntries(
    Object.entries(summaries).map(([resource, operations]) => [
      resource,
      {
        brief: briefs[resource as keyof typeof summaries],
        commands: Object.fromEntries(
          Object.entries(operations).map(([name, brief]) => [
            kebab(name),
            {
              brief,
              load: async () =>
                (await import('./operator-command.ts')).operatorCommand(
                  resource as 'servers',
                  name as 'list',
                ),
            },
          ]),
        ),
      },
    ]),
  ) as unknown as Record<keyof typeof summaries, CommandGroup>;

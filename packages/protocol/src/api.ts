import { accounts } from './accounts.ts';
import { bots } from './bots.ts';
import { channels, subscriptions } from './channels/channels.ts';
import { devices } from './devices.ts';
import { messages } from './messages/messages.ts';
import { queues } from './queues.ts';
import { serverSettings } from './server-settings.ts';
import { typing } from './typing.ts';
import { users } from './users/users.ts';

/** The whole API. Server, clients, docs and tests are all derived from this value. */
export const api = {
  accounts,
  bots,
  channels,
  devices,
  messages,
  queues,
  serverSettings,
  subscriptions,
  typing,
  users,
};
export type Api = typeof api;

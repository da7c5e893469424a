import { accounts } from './accounts.ts';
import { botStorage } from './bot-storage.ts';
import { bots } from './bots.ts';
import { channels, subscriptions } from './channels/channels.ts';
import { devices } from './devices.ts';
import { messages } from './messages/messages.ts';
import { queues } from './queues.ts';
import { reactions } from './reactions.ts';
import { serverSettings } from './server-settings.ts';
import { submessages } from './submessages.ts';
import { typing } from './typing.ts';
import { attachments, uploads } from './uploads.ts';
import { users } from './users/users.ts';

/** The whole API. Server, clients, docs and tests are all derived from this value. */
export const api = {
  accounts,
  attachments,
  botStorage,
  bots,
  channels,
  devices,
  messages,
  queues,
  reactions,
  serverSettings,
  submessages,
  subscriptions,
  typing,
  uploads,
  users,
};
export type Api = typeof api;

import type { Job } from '@bellhop/jobs';

import type { Config } from './config.ts';
import type { App } from './engine/app.ts';
import type { Resources } from './engine/call.ts';
import type { Secrets } from './engine/secrets.ts';
import type { Presenters } from './engine/stored-event.ts';
import { accounts } from './resources/accounts/accounts.ts';
import { botStorage } from './resources/bot-storage/bot-storage.ts';
import { bots } from './resources/bots/bots.ts';
import { deliverToWebhook } from './resources/bots/deliver-to-webhook.ts';
import { presentBot } from './resources/bots/present-bot.ts';
import { channels } from './resources/channels/channels.ts';
import { presentSubscription } from './resources/channels/subscribe/present-subscription.ts';
import { subscriptions } from './resources/channels/subscriptions.ts';
import { announceRealms } from './resources/devices/announce-realms.ts';
import { devices } from './resources/devices/devices.ts';
import { registerWithBouncer } from './resources/devices/register-with-bouncer.ts';
import { messages } from './resources/messages/messages.ts';
import {
  presentDeleteMessage,
  presentUpdateMessage,
} from './resources/messages/present-message-changes.ts';
import { presentMessage } from './resources/messages/present-message.ts';
import { queues } from './resources/queues/queues.ts';
import { reactions } from './resources/reactions/reactions.ts';
import { serverSettings } from './resources/server-settings/server-settings.ts';
import { submessages } from './resources/submessages/submessages.ts';
import { presentTyping } from './resources/typing/present-typing.ts';
import { typing } from './resources/typing/typing.ts';
import { attachments } from './resources/uploads/attachments.ts';
import { sweepUploads } from './resources/uploads/sweep-uploads.ts';
import { uploads } from './resources/uploads/uploads.ts';
import { presentUser } from './resources/users/present-user.ts';
import { users } from './resources/users/users.ts';

/** Everything the server can be asked to do. */
export const resources: Resources = {
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

/** Everything it does in the background. */
export const jobs = (config: Config): Job<unknown, App>[] => [
  announceRealms,
  deliverToWebhook(config),
  registerWithBouncer,
  sweepUploads,
];

/** How events are shown to a queue, where that depends on the queue. */
export const presenters = (secrets: Secrets): Presenters => ({
  delete_message: presentDeleteMessage,
  message: presentMessage,
  realm_bot: presentBot(secrets),
  realm_user: presentUser,
  subscription: presentSubscription,
  typing: presentTyping,
  update_message: presentUpdateMessage,
});

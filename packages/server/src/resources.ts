import type { Job } from '@bellhop/jobs';

import type { Config } from './config.ts';
import type { App } from './engine/app.ts';
import type { Resources } from './engine/call.ts';
import type { Secrets } from './engine/secrets.ts';
import type { Presenters } from './engine/stored-event.ts';
import { accounts } from './resources/accounts/accounts.ts';
import { bots } from './resources/bots/bots.ts';
import { deliverToWebhook } from './resources/bots/deliver-to-webhook.ts';
import { presentBot } from './resources/bots/present-bot.ts';
import { channels } from './resources/channels/channels.ts';
import { presentSubscription } from './resources/channels/present-subscription.ts';
import { subscriptions } from './resources/channels/subscriptions.ts';
import { announceRealms } from './resources/devices/announce-realms.ts';
import { devices } from './resources/devices/devices.ts';
import { registerWithBouncer } from './resources/devices/register-with-bouncer.ts';
import { messages } from './resources/messages/messages.ts';
import { presentMessage } from './resources/messages/present-message.ts';
import { queues } from './resources/queues/queues.ts';
import { serverSettings } from './resources/server-settings/server-settings.ts';
import { presentTyping } from './resources/typing/present-typing.ts';
import { typing } from './resources/typing/typing.ts';
import { presentUser } from './resources/users/present-user.ts';
import { users } from './resources/users/users.ts';

/** Everything the server can be asked to do. */
export const resources: Resources = {
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

/** Everything it does in the background. */
export const jobs = (config: Config): Job<unknown, App>[] => [
  announceRealms,
  deliverToWebhook(config),
  registerWithBouncer,
];

/** How events are shown to a queue, where that depends on the queue. */
export const presenters = (secrets: Secrets): Presenters => ({
  message: presentMessage,
  realm_bot: presentBot(secrets),
  realm_user: presentUser,
  subscription: presentSubscription,
  typing: presentTyping,
});

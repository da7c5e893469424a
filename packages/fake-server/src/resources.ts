import type { Api } from '@bellhop/protocol';

import type { Resource } from './call.ts';
import { botChanges } from './resources/bot-changes.ts';
import { botStorage } from './resources/bot-storage.ts';
import { botTopics } from './resources/bot-topics.ts';
import { messages } from './resources/messages.ts';
import { queues } from './resources/queues.ts';
import { reactions } from './resources/reactions.ts';
import { serverSettings } from './resources/server-settings.ts';
import { submessages } from './resources/submessages.ts';
import { channels, subscriptions } from './resources/subscriptions.ts';
import { typing } from './resources/typing.ts';
import { uploads } from './resources/uploads.ts';
import { users } from './resources/users.ts';

/** The handlers by resource and operation, named as in the contract. */
export const resources: { readonly [R in keyof Api]?: Resource<R> } = {
  botChanges,
  botStorage,
  botTopics,
  channels,
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

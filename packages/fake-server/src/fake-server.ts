import type { PostResult } from '@bellhop/bot-probe/webhooks';
import { listen } from '@bellhop/http';
import { roles } from '@bellhop/protocol';

import type { BotAccount } from './account.ts';
import { fakeBot, type FakeBot, fakeUser, type FakeUser, type NewBot } from './fake-user.ts';
import { type Fault, faults } from './faults.ts';
import { withFiles } from './resources/uploads.ts';
import { type ApiCall, serveWorld } from './serve-world.ts';
import {
  type ConversationName,
  conversationNamed,
  messagesIn,
  type VisibleMessage,
} from './visible-messages.ts';
import { type Delivery, webhooks } from './webhooks.ts';
import { addAccount, addChannel, accountOf, createWorld, secret, accountById } from './world.ts';

export type { ConversationName, VisibleMessage } from './visible-messages.ts';
export { emojiCodes } from './emoji-codes.ts';
export type { FakeBot, FakeUser, NewBot } from './fake-user.ts';
export type { Fault } from './faults.ts';
export type { ApiCall } from './serve-world.ts';
export type { Attempt, Delivery } from './webhooks.ts';
export type { PostResult } from '@bellhop/bot-probe/webhooks';
export type { UserId, WebhookPayload } from '@bellhop/protocol';
export type { SendTo } from './fake-user.ts';

export interface FakeServerOptions {
  /** The default 0 is any free port. */
  readonly port?: number;
  /** How long the server waits for the answer of a bot; the default is 10 s. */
  readonly webhookTimeoutMs?: number;
  /** Delays before further attempts after a time-out or a lost connection; by default 1 s to 4 min. */
  readonly webhookRetryMs?: readonly number[];
  /** How long an idle poll lasts; the default is 45 s. */
  readonly heartbeatMs?: number;
  /** UNIX time in seconds. */
  readonly now?: () => number;
}

/** A chat server in memory on a port of this machine, for testing bots in any language. */
export interface FakeServer extends AsyncDisposable {
  readonly url: string;
  readonly addUser: (name: string, about?: { readonly email?: string }) => FakeUser;
  /** Adds a bot; its messages are delivered to `payloadUrl`. The default owner is a user "Owner". */
  readonly addBot: (bot: NewBot) => FakeBot;
  /** Adds a channel; by default all current users except bots are subscribed. */
  readonly addChannel: (name: string, about?: NewChannel) => { id: number; name: string };
  /** The messages of a conversation, as `Ada: text`. */
  readonly conversation: (name: ConversationName) => string[];
  /** The messages of a conversation with reactions, widgets and edits. */
  readonly messages: (name: ConversationName) => VisibleMessage[];
  /** The requests to the API, to one route or to all. */
  readonly calls: (route?: string) => ApiCall[];
  /** All deliveries to webhooks, with their attempts and results. */
  readonly deliveries: readonly Delivery[];
  /** Resolves when all deliveries have ended and their replies are sent. */
  readonly settled: () => Promise<void>;
  /** Resolves when the condition holds; it is checked after every change. */
  readonly until: (condition: () => boolean, withinMs?: number) => Promise<void>;
  /** Makes requests to the API fail. */
  readonly fail: (fault: Fault) => void;
  /** Answers every request with 429 and Retry-After for so many seconds. */
  readonly rateLimit: (seconds: number) => void;
  /** Delivers a message once more, as after a lost answer. Returns the answers without sending them. */
  readonly redeliver: (messageId: number) => Promise<PostResult[]>;
  /** Deletes all event queues: their polls are answered with BAD_EVENT_QUEUE_ID. */
  readonly dropQueues: () => void;
  /** The number of polls that wait for an event, one per listening client. */
  readonly waitingPolls: () => number;
  /** Stops the server, its deliveries and polls. */
  readonly stop: () => Promise<void>;
}

export interface NewChannel {
  readonly subscribers?: readonly FakeUser[];
  readonly isPrivate?: boolean;
}

/** The default of the chat server. */
const RETRY_MS = [1000, 5000, 30_000, 120_000, 240_000];

/** Starts a fake server. Rejects if it cannot listen on the port. */
export async function fakeServer(options: FakeServerOptions = {}): Promise<FakeServer> {
  const { now = () => Math.floor(Date.now() / 1000), heartbeatMs = 45_000 } = options;
  const world = createWorld({ now, heartbeatMs });
  const stopping = new AbortController();
  const changes = new EventTarget();
  const changed = () => changes.dispatchEvent(new Event('change'));
  const rules = {
    timeoutMs: options.webhookTimeoutMs ?? 10_000,
    retryMs: options.webhookRetryMs ?? RETRY_MS,
  };
  const hooks = webhooks(world, rules, changed);
  world.onMessage = (message) => {
    hooks.trigger(message);
    changed();
  };
  world.onChange = (change) => {
    hooks.triggerChange(change);
    changed();
  };
  const faulty = faults('/api/v1', stopping.signal);
  const calls: ApiCall[] = [];
  const api = serveWorld(world, {
    signal: stopping.signal,
    onCall: (call) => void calls.push(call),
    onDone: changed,
  });
  const listening = await listen(faulty.wrap(withFiles(world, api)), { port: options.port ?? 0 });
  world.url = listening.url;

  let stopped: Promise<void> | undefined;
  const stop = () =>
    (stopped ??= (async () => {
      stopping.abort();
      await hooks.stop();
      await listening.stop(0);
    })());

  const addressOf = (name: string) =>
    `${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}@fake.test`;
  const addUser: FakeServer['addUser'] = (name, { email = addressOf(name) } = {}) =>
    fakeUser(world, addAccount(world, { full_name: name, email, role: roles.member }));

  return {
    url: listening.url,
    addUser,
    addBot({ name, email = addressOf(`${name}-bot`), payloadUrl, owner, ...options }) {
      const account = owner
        ? accountById(world, owner.id)
        : (accountOf(world, 'owner@fake.test') ?? accountById(world, addUser('Owner').id));
      if (!account) throw new Error('The owner is a user of another server.');
      const { interface: form = 'generic' } = options;
      const token = secret();
      const bot: BotAccount = { type: 3, owner: account, token, payloadUrl, interface: form };
      return fakeBot(world, addAccount(world, { full_name: name, email, role: roles.member, bot }));
    },
    addChannel(name, { subscribers, isPrivate = false } = {}) {
      const people = world.accounts.filter(({ bot }) => !bot);
      const ids = subscribers?.map(({ id }) => id) ?? people.map(({ user_id }) => user_id);
      const { stream_id } = addChannel(world, { name, invite_only: isPrivate, subscribers: ids });
      return { id: stream_id, name };
    },
    conversation: (name) =>
      messagesIn(world, conversationNamed(world, name)).map(
        ({ sender, content }) => `${sender}: ${content}`,
      ),
    messages: (name) => messagesIn(world, conversationNamed(world, name)),
    calls: (route) => calls.filter((call) => route === undefined || call.route === route),
    deliveries: hooks.deliveries,
    settled: hooks.settled,
    until: (condition, withinMs = 5000) =>
      new Promise((resolve, reject) => {
        const check = () => {
          if (condition()) end(resolve);
        };
        const end = (settle: () => void) => {
          clearTimeout(timer);
          changes.removeEventListener('change', check);
          settle();
        };
        const late = new Error(
          `The condition did not hold within ${withinMs} ms: ${condition.toString()}`,
        );
        const timer = setTimeout(() => end(() => reject(late)), withinMs);
        changes.addEventListener('change', check);
        check();
      }),
    fail: faulty.fail,
    rateLimit: faulty.rateLimit,
    redeliver: hooks.redeliver,
    dropQueues: () => world.queues.drop(),
    waitingPolls: () => world.queues.waiting(),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

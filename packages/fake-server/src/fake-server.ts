import { listen } from '@bellhop/http';
import { roles } from '@bellhop/protocol';

import type { BotAccount } from './account.ts';
import { type Conversation, messagesIn, placeOf, type SeenMessage } from './conversation.ts';
import { fakeBot, type FakeBot, fakeUser, type FakeUser, type NewBot } from './fake-user.ts';
import { type Fault, faults } from './faults.ts';
import { type ApiCall, serveWorld } from './serve-world.ts';
import { type Delivery, webhooks } from './webhooks.ts';
import { addAccount, addChannel, accountOf, createWorld, secret, accountById } from './world.ts';

export type { Conversation, SeenMessage } from './conversation.ts';
export { emojiCodes } from './emoji-codes.ts';
export type { FakeBot, FakeUser, NewBot } from './fake-user.ts';
export type { Fault } from './faults.ts';
export type { ApiCall } from './serve-world.ts';
export type { Attempt, Delivery } from './webhooks.ts';

export interface FakeServerOptions {
  /** 0 is any free one. */
  readonly port?: number;
  /** How long a bot may take to answer, in milliseconds: 10 s as a real server gives it. */
  readonly webhookTimeoutMs?: number;
  /** Waits before further attempts after a time-out or a lost connection, in milliseconds. */
  readonly webhookRetryMs?: readonly number[];
  /** How long a poll may last, in milliseconds: 45 s. */
  readonly heartbeatMs?: number;
  /** UNIX time in seconds. */
  readonly now?: () => number;
}

/** A chat server in memory on a port of this machine, for testing bots in any language. */
export interface FakeServer extends AsyncDisposable {
  readonly url: string;
  readonly addUser: (name: string, about?: { readonly email?: string }) => FakeUser;
  /** A bot with a `payloadUrl` is told of its messages; the owner is a user made for it, or given. */
  readonly addBot: (bot: NewBot) => FakeBot;
  /** Everybody there is at the moment is subscribed, bots not, unless said otherwise. */
  readonly addChannel: (name: string, about?: NewChannel) => { stream_id: number; name: string };
  /** What was said there, as `Ada: text`. */
  readonly conversation: (place: Conversation) => string[];
  /** The same with reactions, widgets and edits. */
  readonly messages: (place: Conversation) => SeenMessage[];
  /** What was asked of the API, of one route or of all. */
  readonly calls: (route?: string) => ApiCall[];
  /** Every message that a bot's webhook was told of, with each attempt and its answer. */
  readonly deliveries: readonly Delivery[];
  /** Resolves when all deliveries have ended and what they led to was said. */
  readonly settled: () => Promise<void>;
  /** Resolves when the condition holds; it is asked again whenever something has happened. */
  readonly until: (condition: () => boolean, withinMs?: number) => Promise<void>;
  /** Lets requests to the API fail. */
  readonly fail: (fault: Fault) => void;
  /** Answers every request with 429 and Retry-After until so many seconds have passed. */
  readonly rateLimit: (seconds: number) => void;
  /** Tells the bots of a message once more, as after a lost answer; returns what they answer. */
  readonly redeliver: (message_id: number) => ReturnType<ReturnType<typeof webhooks>['redeliver']>;
  /** Forgets all event queues: the next poll of each is answered BAD_EVENT_QUEUE_ID. */
  readonly dropQueues: () => void;
  /** How many polls wait for an event: bots that listen have one each. */
  readonly waitingPolls: () => number;
  /** Ends everything it started. */
  readonly stop: () => Promise<void>;
}

interface NewChannel {
  readonly subscribers?: readonly FakeUser[];
  readonly invite_only?: boolean;
}

/** A real server's own: 1 s to 4 minutes. */
const RETRY_MS = [1000, 5000, 30_000, 120_000, 240_000];

/** Starts one. Rejects when it cannot listen on the port. */
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
  const faulty = faults('/api/v1', stopping.signal);
  const calls: ApiCall[] = [];
  const api = serveWorld(world, {
    signal: stopping.signal,
    onCall: (call) => void calls.push(call),
    onDone: changed,
  });
  const listening = await listen(faulty.wrap(api), { port: options.port ?? 0 });
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
    addBot({ name, email = addressOf(`${name}-bot`), payloadUrl, owner, ...how }) {
      const ownerId = (owner ?? accountOf(world, 'owner@fake.test') ?? addUser('Owner')).user_id;
      const account = accountById(world, ownerId);
      if (!account) throw new Error('The owner is a user of another server.');
      const { interface: form = 'generic' } = how;
      const token = secret();
      const bot: BotAccount = { type: 3, owner: account, token, payloadUrl, interface: form };
      return fakeBot(world, addAccount(world, { full_name: name, email, role: roles.member, bot }));
    },
    addChannel(name, { subscribers, invite_only = false } = {}) {
      const people = subscribers ?? world.accounts.filter(({ bot }) => !bot);
      const ids = people.map(({ user_id }) => user_id);
      const { stream_id } = addChannel(world, { name, invite_only, subscribers: ids });
      return { stream_id, name };
    },
    conversation: (place) =>
      messagesIn(world, placeOf(world, place)).map(({ from, content }) => `${from}: ${content}`),
    messages: (place) => messagesIn(world, placeOf(world, place)),
    calls: (route) => calls.filter((call) => route === undefined || call.route === route),
    deliveries: hooks.deliveries,
    settled: hooks.settled,
    until: (condition, withinMs = 5000) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (condition()) end(resolve);
        };
        const end = (then: () => void) => {
          clearTimeout(timer);
          changes.removeEventListener('change', look);
          then();
        };
        const late = new Error(`It did not happen within ${withinMs} ms: ${condition.toString()}`);
        const timer = setTimeout(() => end(() => reject(late)), withinMs);
        changes.addEventListener('change', look);
        look();
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

import { type Client, eventStream, type Registration, type sleep } from '@bellhop/client';
import { ApiError, type MessageId } from '@bellhop/protocol';

import { BotError } from '../bot-error.ts';
import type { Delivery } from '../delivery.ts';
import type { Store } from '../stores/store.ts';
import { type HandledMessages, handledSince } from './handled-messages.ts';
import { keptProgress } from './kept-progress.ts';
import { knownBots } from './known-bots.ts';
import { deliveryOf, type QueueBot, type ReceivedMessage, triggerOf } from './message-delivery.ts';
import { missedMessages, type Waiting, withWaiting } from './missed-messages.ts';

export interface QueueOptions {
  /** Logged in as the bot. */
  readonly client: Client;
  /** Asked for when left out. */
  readonly bot?: QueueBot;
  /** Keeps what was handled, so that a restart catches up. */
  readonly store?: Store;
  /** Told of every message the bot receives: its own, those of other bots, in every channel. */
  readonly onEachMessage?: (received: ReceivedMessage) => unknown;
  /** Told of every trouble that is waited out, and for how many milliseconds. */
  readonly onTrouble?: (error: unknown, waitMs: number) => void;
  /** Told of handlers that failed, of a store that did, and of what ended the listening. */
  readonly onError: (error: unknown) => void;
  readonly sleep?: typeof sleep;
}

export interface QueueListener {
  readonly bot: QueueBot;
  /** Settles when the listening ends; rejects with what waiting does not cure. */
  readonly ended: Promise<void>;
  /** Takes no more messages; resolves when those it took are handled and written down. */
  stop(): Promise<void>;
}

/**
 * Brings a bot its messages through an event queue, without a web address of its own: those an
 * outgoing webhook would bring, as the same deliveries, in their order. Lost
 * connections are waited out; after a queue was dropped, and with a store after a restart, what was
 * missed is fetched, and no message is brought twice. Resolves when the first queue is registered. A
 * message counts as handled when `onDelivery` settles, unless by BotError `shutting_down`: that one is
 * brought again after a restart. Rejects on bad credentials, and on a store that cannot be read.
 */
export async function listenToQueue(
  options: QueueOptions,
  onDelivery: (delivery: Delivery) => unknown,
): Promise<QueueListener> {
  const { client, onError } = options;
  const leaving = new AbortController();
  const waiting: Waiting = {
    signal: leaving.signal,
    ...(options.onTrouble ? { onWait: options.onTrouble } : {}),
    ...(options.sleep ? { sleep: options.sleep } : {}),
  };
  const bot = options.bot ?? (await withWaiting(waiting, () => client.users.me()));
  const progress = keptProgress({ store: options.store, key: `queue:${bot.user_id}`, onError });
  const kept = await progress.load();
  const registered = Promise.withResolvers<void>();
  const work = takeMessages({ options, bot, waiting, onDelivery });

  async function listen(): Promise<void> {
    let handled = kept;
    const bots = knownBots();
    const stream = eventStream(client, registration, {
      signal: leaving.signal,
      ...(options.onTrouble ? { onTrouble: options.onTrouble } : {}),
      ...(options.sleep ? { sleep: options.sleep } : {}),
    });
    for await (const item of stream) {
      if (item.kind === 'registered') {
        bots.reset(item.state);
        handled ??= handledSince(newestOf(item.state));
        progress.save(handled);
        registered.resolve();
        const gap = {
          after: handled.anchor(),
          upTo: newestOf(item.state),
          all: options.onEachMessage !== undefined,
        };
        for (const message of await missedMessages(client, gap, waiting))
          await work.take({ message, flags: message.flags }, { bots, handled, save });
        handled.caughtUp();
      } else if (item.event.type === 'realm_user') bots.apply(item.event);
      else if (item.event.type === 'message' && handled)
        await work.take(item.event, { bots, handled, save });
    }
  }
  const save = (handled: HandledMessages) => progress.save(handled);

  const ended = listen().catch((error: unknown) => {
    if (leaving.signal.aborted) return;
    registered.reject(error);
    onError(error);
    throw error;
  });
  ended.catch(() => undefined);
  await registered.promise;
  return {
    bot,
    ended,
    async stop() {
      leaving.abort();
      await ended.catch(() => undefined);
      await work.idle();
      await progress.written();
    },
  };
}

const types = ['message', 'realm_user'];
const registration = {
  event_types: types,
  fetch_event_types: types,
  apply_markdown: false,
  client_gravatar: false,
  client_capabilities: { empty_topic_name: true, user_avatar_url_field_optional: true },
};

const newestOf = ({ max_message_id }: Registration) => max_message_id ?? -1;

interface Taking {
  readonly options: QueueOptions;
  readonly bot: QueueBot;
  readonly waiting: Waiting;
  readonly onDelivery: (delivery: Delivery) => unknown;
}

interface Knowledge {
  readonly bots: { has(id: number): boolean };
  readonly handled: HandledMessages;
  readonly save: (handled: HandledMessages) => void;
}

/** Hands messages over in their order, without waiting for one to be handled before the next. */
function takeMessages({ options, bot, waiting, onDelivery }: Taking) {
  const { client, onEachMessage, onError } = options;
  const working = new Set<Promise<void>>();

  async function handing(received: ReceivedMessage, delivery: Delivery | undefined): Promise<void> {
    const results = await Promise.allSettled([
      attempt(() => onEachMessage?.(received)),
      attempt(() => delivery && onDelivery(delivery)),
    ]);
    const failures = results.filter((result) => result.status === 'rejected');
    for (const { reason } of failures) if (!isShutdown(reason)) onError(reason);
    if (failures.some(({ reason }) => isShutdown(reason))) throw failures[0]?.reason;
  }

  /** As HTML. A message that is gone again has none. */
  async function rendered(message_id: MessageId): Promise<string> {
    const asking = { patience: false as const, signal: waiting.signal };
    const params = { message_id, allow_empty_topic_name: true };
    try {
      const found = await withWaiting(waiting, () => client.messages.fetchOne(params, asking));
      return found.message.content;
    } catch (error) {
      if (error instanceof ApiError) return '';
      throw error;
    }
  }

  return {
    async take(received: ReceivedMessage, { bots, handled, save }: Knowledge): Promise<void> {
      const { message } = received;
      if (waiting.signal.aborted) return;
      const fromBot = message.sender_id === bot.user_id || bots.has(message.sender_id);
      const concerns = !fromBot && triggerOf(received) !== undefined;
      if ((!concerns && !onEachMessage) || !handled.begin(message.id)) return;
      const delivery = concerns ? deliveryOf(bot, message, await rendered(message.id)) : undefined;
      const work = handing(received, delivery)
        .then(
          () => {
            handled.finish(message.id);
            save(handled);
          },
          () => undefined,
        )
        .finally(() => working.delete(work));
      working.add(work);
      while (handled.full() && working.size > 0 && !waiting.signal.aborted)
        await Promise.race([...working, aborted(waiting.signal)]);
    },
    async idle(): Promise<void> {
      await Promise.all(working);
    },
  };
}

const attempt = async (work: () => unknown): Promise<void> => {
  await work();
};

const isShutdown = (error: unknown) => error instanceof BotError && error.code === 'shutting_down';

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

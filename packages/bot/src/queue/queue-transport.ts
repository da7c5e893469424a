import { type Client, eventStream, type Registration, type sleep } from '@bellhop/client/plain';
import type { MessageId } from '@bellhop/protocol';
import { ApiError } from '@bellhop/protocol/plain';

import { BotError } from '../bot-error.ts';
import type { ChangeTrigger, Delivery, Person } from '../delivery.ts';
import type { QueueFollowUps } from '../follow-ups/queue-follow-ups.ts';
import { profileOf } from '../rest/user-profile.ts';
import { type HandledMessages, handledMessagesSince } from './handled-messages.ts';
import { knownBots } from './known-bots.ts';
import { changeEventTypes, messageChanges } from './message-changes.ts';
import { deliveryOf, type ReceivedMessage, triggerOf } from './message-delivery.ts';
import { missedMessages, untilAnswered, type WaitOptions } from './missed-messages.ts';
import { type ProgressStore, queueProgress } from './queue-progress.ts';

export interface QueueOptions {
  /** A client that is logged in as the bot. */
  readonly client: Client;
  /** The bot itself. By default it is fetched from the server. */
  readonly bot?: Person;
  /** Keeps the handled messages, so that a restarted bot fetches the ones it missed. */
  readonly store?: ProgressStore;
  /** Whether deliveries of messages have their HTML, which costs a request for each; default: true. */
  readonly rendered?: boolean;
  /** The topics whose messages the bot gets without a mention; default: none. */
  readonly followUps?: Pick<QueueFollowUps, 'has' | 'list'>;
  /** The changes of messages that are delivered too; default: none. */
  readonly changes?: readonly ChangeTrigger[];
  /** Called with every message the bot receives, including its own and those of other bots. */
  readonly onEachMessage?: (received: ReceivedMessage) => unknown;
  /** Called with each error that the listener waits out, and with the wait in milliseconds. */
  readonly onRetry?: (error: unknown, waitMs: number) => void;
  /** Called with errors of handlers and of the store, and with the error that ends the listener. */
  readonly onError: (error: unknown) => void;
  readonly sleep?: typeof sleep;
}

export interface QueueListener {
  /** The bot, with its current name. */
  readonly bot: Person;
  /** Resolves when the listener is stopped; rejects with an error that a retry cannot fix. */
  readonly ended: Promise<void>;
  /** Takes no more messages. Resolves when those taken are handled and the store is written. */
  stop(): Promise<void>;
}

/**
 * Receives a bot's messages through an event queue, without a web address. `onDelivery` gets, in
 * order, the same deliveries that an outgoing webhook would bring. The listener waits out lost
 * connections. After the server dropped the queue, and with a store after a restart, it fetches the
 * missed messages. It delivers no message twice. A message is handled when `onDelivery` settles,
 * unless it rejects with BotError `shutting_down`: the message then comes again after a restart.
 * Resolves when the first queue is registered. Rejects if the credentials are wrong or the store
 * cannot be read.
 */
export async function listenToQueue(
  options: QueueOptions,
  onDelivery: (delivery: Delivery) => unknown,
): Promise<QueueListener> {
  const { client, onError } = options;
  const stopping = new AbortController();
  const wait: WaitOptions = {
    signal: stopping.signal,
    ...(options.onRetry ? { onRetry: options.onRetry } : {}),
    ...(options.sleep ? { sleep: options.sleep } : {}),
  };
  let bot = options.bot ?? profileOf(await untilAnswered(wait, () => client.users.me()));
  /** Takes the current name of the bot: people mention it by that. */
  const rename = (user?: { readonly full_name?: string | undefined }) => {
    if (user?.full_name !== undefined) bot = { ...bot, fullName: user.full_name };
  };
  const progress = queueProgress({ store: options.store, key: `queue:${bot.id}`, onError });
  const restored = await progress.load();
  const registered = Promise.withResolvers<void>();
  const intake = messageIntake({ options, bot: () => bot, wait, onDelivery });

  async function listen(): Promise<void> {
    let handled = restored;
    const bots = knownBots();
    const stream = eventStream(client, registrationOf(options.changes), {
      signal: stopping.signal,
      ...(options.onRetry ? { onRetry: options.onRetry } : {}),
      ...(options.sleep ? { sleep: options.sleep } : {}),
    });
    for await (const item of stream) {
      if (item.kind === 'registered') {
        bots.reset(item.state);
        rename(item.state.realm_users?.find(({ user_id }) => user_id === bot.id));
        handled ??= handledMessagesSince(newestOf(item.state));
        progress.save(handled);
        registered.resolve();
        const gap = {
          after: handled.anchor(),
          upTo: newestOf(item.state),
          all: options.onEachMessage !== undefined,
          topics: (await options.followUps?.list()) ?? [],
        };
        for (const message of await missedMessages(client, gap, wait))
          await intake.take({ message, flags: message.flags }, { bots, handled, save });
        handled.caughtUp();
      } else if (item.event.type === 'realm_user') {
        bots.apply(item.event);
        if (item.event.person.user_id === bot.id) rename(item.event.person);
      } else if (item.event.type === 'message' && handled)
        await intake.take(item.event, { bots, handled, save });
      else await intake.takeChange(item.event, bots);
    }
  }
  const save = (handled: HandledMessages) => progress.save(handled);

  const ended = listen().catch((error: unknown) => {
    if (stopping.signal.aborted) return;
    registered.reject(error);
    onError(error);
    throw error;
  });
  ended.catch(() => undefined);
  await registered.promise;
  return {
    get bot() {
      return bot;
    },
    ended,
    async stop() {
      stopping.abort();
      await ended.catch(() => undefined);
      await intake.idle();
      await progress.written();
    },
  };
}

const types = ['message', 'realm_user'];
const registrationOf = (changes: readonly ChangeTrigger[] = []) => ({
  event_types: [...types, ...changeEventTypes(changes)],
  fetch_event_types: types,
  apply_markdown: false,
  client_gravatar: false,
  client_capabilities: { empty_topic_name: true, user_avatar_url_field_optional: true },
});

const newestOf = ({ max_message_id }: Registration) => max_message_id ?? -1;

interface IntakeOptions {
  readonly options: QueueOptions;
  readonly bot: () => Person;
  readonly wait: WaitOptions;
  readonly onDelivery: (delivery: Delivery) => unknown;
}

interface IntakeState {
  readonly bots: { has(id: number): boolean };
  readonly handled: HandledMessages;
  readonly save: (handled: HandledMessages) => void;
}

/** Passes messages on in order. The handlers of several messages may run at the same time. */
function messageIntake({ options, bot, wait, onDelivery }: IntakeOptions) {
  const { client, onEachMessage, onError, followUps, rendered: isRendered = true } = options;
  const running = new Set<Promise<void>>();
  const changes = options.changes?.length
    ? messageChanges({
        client,
        bot,
        triggers: options.changes,
        wait,
        follows: async (message) => (await followUp(message)) !== undefined,
      })
    : undefined;

  async function handle(received: ReceivedMessage, delivery: Delivery | undefined): Promise<void> {
    const results = await Promise.allSettled([
      attempt(() => onEachMessage?.(received)),
      attempt(() => delivery && onDelivery(delivery)),
    ]);
    const failures = results.filter((result) => result.status === 'rejected');
    for (const { reason } of failures) if (!isShutdown(reason)) onError(reason);
    if (failures.some(({ reason }) => isShutdown(reason))) throw failures[0]?.reason;
  }

  async function followUp({ stream_id, subject }: ReceivedMessage['message']) {
    if (stream_id === undefined || followUps === undefined) return undefined;
    try {
      const isSubscribed = await followUps.has({ channelId: stream_id, topic: subject });
      return isSubscribed ? ('follow_up' as const) : undefined;
    } catch (error) {
      onError(error);
      return undefined;
    }
  }

  /** The HTML of a message; empty for a deleted message. */
  async function renderedContent(message_id: MessageId): Promise<string> {
    const requestOptions = { retryPolicy: false as const, signal: wait.signal };
    const params = { message_id, allow_empty_topic_name: true };
    try {
      const { message } = await untilAnswered(wait, () =>
        client.messages.fetchOne(params, requestOptions),
      );
      return message.content;
    } catch (error) {
      if (error instanceof ApiError) return '';
      throw error;
    }
  }

  return {
    async take(received: ReceivedMessage, { bots, handled, save }: IntakeState): Promise<void> {
      const { message } = received;
      if (wait.signal.aborted) return;
      await changes?.remember(message);
      const fromBot = message.sender_id === bot().id || bots.has(message.sender_id);
      const trigger = fromBot ? undefined : (triggerOf(received) ?? (await followUp(message)));
      if ((!trigger && !onEachMessage) || !handled.begin(message.id)) return;
      const rendered = trigger && isRendered && (await renderedContent(message.id));
      const delivery = trigger && deliveryOf(bot(), { message, trigger, rendered: rendered || '' });
      const work = handle(received, delivery)
        .then(
          () => {
            handled.finish(message.id);
            save(handled);
          },
          () => undefined,
        )
        .finally(() => running.delete(work));
      running.add(work);
      while (handled.full() && running.size > 0 && !wait.signal.aborted)
        await Promise.race([...running, aborted(wait.signal)]);
    },
    /** Passes on a change to a message. */
    async takeChange(event: { readonly type: string }, bots: IntakeState['bots']): Promise<void> {
      if (changes === undefined || wait.signal.aborted) return;
      for (const delivery of await changes.deliveriesOf(event, (id) => bots.has(id))) {
        const work = attempt(() => onDelivery(delivery))
          .catch((error: unknown) => void (isShutdown(error) || onError(error)))
          .finally(() => running.delete(work));
        running.add(work);
      }
    },
    async idle(): Promise<void> {
      await Promise.all(running);
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

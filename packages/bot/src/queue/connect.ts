import { BotError } from '../bot-error.ts';
import { queueFollowUps } from '../follow-ups/queue-follow-ups.ts';
import type { Hooks } from '../hooks.ts';
import { type AnyBot, internals } from '../internals.ts';
import { Runtime } from '../runtime.ts';
import type { ReceivedMessage } from './message-delivery.ts';
import { listenToQueue } from './queue-transport.ts';

export interface ConnectOptions {
  readonly hooks?: Hooks;
  /** Called with every message the bot receives, including its own and those of other bots. */
  readonly onEachMessage?: (received: ReceivedMessage) => unknown;
  /** Called with each error that the listener waits out, and with the wait in milliseconds. */
  readonly onRetry?: (error: unknown, waitMs: number) => void;
}

export interface Connection {
  readonly runtime: Runtime;
  /** Resolves when the connection is stopped; rejects if the server refuses it for good. */
  readonly ended: Promise<void>;
  /** Takes no more messages. Waits for running handlers, at most `graceMs`, then aborts them. */
  readonly stop: (graceMs: number) => Promise<void>;
}

/**
 * Receives a bot's messages through an event queue of the server and sends all replies by REST. A
 * bot with a store fetches the messages it missed while it was stopped. Rejects with a BotError
 * (`api_missing`) for a bot without `api`, and with an ApiError for wrong credentials.
 */
export async function connect(
  bot: AnyBot,
  { hooks = {}, ...queue }: ConnectOptions,
): Promise<Connection> {
  const { settings, routes } = bot[internals];
  const { rest, store, clock } = settings;
  if (rest === undefined)
    throw new BotError(
      'api_missing',
      'The queue transport needs `api: { url, apiKey }` in the options of createBot.',
    );
  const followUps = queueFollowUps({ client: rest.client, clock, botEmail: bot.email, store });
  const instead = { followUps: () => followUps };
  const runtime = new Runtime(bot, { hooks, place: 'process', instead });
  const { dispatcher } = runtime;
  const connectedAt = clock.now() / 1000;
  const listener = await listenToQueue(
    {
      client: rest.client,
      followUps,
      changes: routes.changes(),
      ...(store ? { store } : {}),
      ...queue,
      onError: (error) => {
        const message = 'Reading the event queue or handling a message failed.';
        runtime.services.warn('queue_trouble', message, error);
      },
    },
    // An earlier connection may have replied to a message that is older than this connection.
    (delivery) =>
      dispatcher.handle(delivery, {
        maybeSent: delivery.change === undefined && delivery.message.timestamp <= connectedAt,
      }),
  );
  return {
    runtime,
    ended: listener.ended,
    async stop(graceMs) {
      dispatcher.stop();
      const { promise: graceOver, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(() => {
        dispatcher.abort();
        resolve();
      }, graceMs);
      await Promise.race([listener.stop(), graceOver]);
      clearTimeout(timer);
    },
  };
}

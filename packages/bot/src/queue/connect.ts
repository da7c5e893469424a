import { BotError } from '../bot-error.ts';
import { DeliveryDispatcher } from '../deliveries/delivery-dispatcher.ts';
import { sendOnce } from '../deliveries/send-once.ts';
import { type Hooks, logWarning, report } from '../hooks.ts';
import { type AnyBot, internals } from '../internals.ts';
import { conversationOf } from '../rest/conversation.ts';
import { listenToQueue, type QueueOptions } from './queue-transport.ts';

export interface ConnectOptions extends Pick<QueueOptions, 'onEachMessage' | 'onTrouble'> {
  readonly hooks?: Hooks;
}

export interface Connection {
  /** Resolves when the connection is stopped; rejects if the server refuses it for good. */
  readonly ended: Promise<void>;
  /** Takes no more messages, and waits at most `graceMs` for running handlers. */
  readonly stop: (graceMs: number) => Promise<void>;
}

/**
 * Receives the messages of a bot through the event queue of the server. All replies go by REST. With
 * a store, messages that were missed are fetched after a restart. Rejects for a bot without `api`,
 * and on wrong credentials.
 */
export async function connect(
  bot: AnyBot,
  { hooks = {}, ...queue }: ConnectOptions,
): Promise<Connection> {
  const { rest, replySender, store, clock } = bot[internals];
  if (rest === undefined || replySender === undefined)
    throw new BotError(
      'api_missing',
      'A bot connects by REST: give createBot `api: { url, apiKey }`.',
    );
  const dispatcher = new DeliveryDispatcher(bot, { hooks, deadlineMs: Infinity });
  const connectedAt = clock.now() / 1000;
  const { onWarning = logWarning } = hooks;
  const listening = await listenToQueue(
    {
      client: rest.client,
      ...(store ? { store } : {}),
      ...queue,
      onError: (error) => {
        const message = 'The event queue could not be read, or a message could not be handled.';
        report(onWarning, { code: 'queue_trouble', message, bot_email: bot.email, error });
      },
    },
    async (delivery) => {
      const reply = await dispatcher.accept(delivery);
      // An earlier connection may have answered a message from before this one.
      const maybeSent = delivery.message.timestamp <= connectedAt;
      const outgoing = { conversation: conversationOf(delivery), after: delivery.message.id };
      if (reply) await sendOnce(replySender, { ...outgoing, reply }, { clock, maybeSent });
      await dispatcher.ended(delivery);
    },
  );
  return {
    ended: listening.ended,
    async stop(graceMs) {
      const { promise: patience, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(() => {
        dispatcher.abort();
        resolve();
      }, graceMs);
      await Promise.race([listening.stop(), patience]);
      clearTimeout(timer);
    },
  };
}

import { BotError } from '../bot-error.ts';
import { DeliveryDispatcher } from '../deliveries/delivery-dispatcher.ts';
import { sendOnce } from '../deliveries/send-once.ts';
import { type Hooks, logFailure, logWarning, report } from '../hooks.ts';
import { type AnyBot, internals } from '../internals.ts';
import { placeOf } from '../rest/place.ts';
import { listenToQueue, type QueueOptions } from './queue-transport.ts';

export interface ConnectOptions extends Pick<QueueOptions, 'onEachMessage' | 'onTrouble'> {
  readonly hooks?: Hooks;
}

export interface Connection {
  /** Settles when the connection ends for good; rejects with what waiting does not cure. */
  readonly ended: Promise<void>;
  /** Takes no more messages, and lets running handlers end for at most `graceMs` (10 s). */
  readonly stop: (graceMs?: number) => Promise<void>;
}

/**
 * Brings a bot its messages through the server's event queue instead of a webhook: no address of its
 * own, no tunnel, behind any router. The handlers are the same; replies go by REST. Mentions arrive in
 * channels the bot is subscribed to. With a store, a restart catches up on what was missed. Rejects on
 * a bot without `api`, and on bad credentials.
 */
export async function connect(
  bot: AnyBot,
  { hooks = {}, ...queue }: ConnectOptions = {},
): Promise<Connection> {
  const { rest, replySender, store, clock, startWork } = bot[internals];
  if (rest === undefined || replySender === undefined)
    throw new BotError(
      'api_missing',
      'A bot connects by REST: give createBot `api: { url, apiKey }`.',
    );
  const dispatcher = new DeliveryDispatcher(bot, { hooks, deadlineMs: Infinity });
  const connectedAt = clock.now() / 1000;
  const { onWarning = logWarning, onError: onFailure = logFailure } = hooks;
  const listening = await listenToQueue(
    {
      client: rest.client,
      ...(store ? { store } : {}),
      ...queue,
      onError: (error) => {
        const message = 'Listening to the event queue has met trouble.';
        report(onWarning, { code: 'queue_trouble', message, bot_email: bot.email, error });
      },
    },
    async (delivery) => {
      const reply = await dispatcher.accept(delivery);
      // What was written before this connection may have been answered by an earlier one.
      const maybeSent = delivery.message.timestamp <= connectedAt;
      const outgoing = { place: placeOf(delivery), after: delivery.message.id };
      if (reply) await sendOnce(replySender, { ...outgoing, reply }, { clock, maybeSent });
      await dispatcher.ended(delivery);
    },
  );
  const stopWork = await startWork((failure) => report(onFailure, failure));
  return {
    ended: listening.ended,
    async stop(graceMs = 10_000) {
      const { promise: patience, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(() => {
        dispatcher.abort();
        resolve();
      }, graceMs);
      await Promise.race([Promise.all([listening.stop(), stopWork()]), patience]);
      clearTimeout(timer);
    },
  };
}

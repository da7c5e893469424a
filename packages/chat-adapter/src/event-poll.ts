import type { JsonValue } from '@bellhop/bot';
import { type Delivery, listenToQueue, type QueueListener } from '@bellhop/bot/internals';
import { createPlainClient } from '@bellhop/client/plain';
import type { Logger, StateAdapter } from 'chat';

import { NAME } from './adapter-config.ts';
import { adapterError } from './adapter-error.ts';
import type { AdapterParts } from './adapter-parts.ts';

/**
 * Receives what concerns the bot through an event queue: all messages of people in its channels, and their
 * reactions, edits and deletions. A state that outlives the process lets it fetch what it has missed.
 */
export async function pollEvents(
  { session, options }: AdapterParts,
  logger: Logger,
  onDelivery: (delivery: Delivery) => Promise<void>,
): Promise<QueueListener> {
  const warn = (message: string) => (error: unknown) => logger.warn(message, error);
  // Its time limit is shorter than a poll.
  const { timeoutMs: _ofCalls, retryPolicy: _waits, ...login } = options;
  try {
    return await listenToQueue(
      {
        client: createPlainClient(login),
        bot: session.me,
        store: progressIn(session.chat.getState()),
        rendered: false,
        // The Chat decides for which messages there are handlers.
        followUps: { has: async () => true, list: async () => [] },
        onEachMessage: () => undefined,
        changes: ['reaction', 'edit', 'delete'],
        onError: warn('Reading the event queue or handling an event failed'),
        onRetry: warn('The chat server does not answer; the adapter tries again'),
      },
      onDelivery,
    );
  } catch (error) {
    throw adapterError('read the event queue', error);
  }
}

/** Keeps how far the queue was read in the state of the Chat. */
const progressIn = (state: StateAdapter) => ({
  async get(key: string) {
    const value = await state.get<JsonValue>(`${NAME}:${key}`);
    return value === null ? undefined : { value, version: '' };
  },
  async set(key: string, value: JsonValue) {
    await state.set(`${NAME}:${key}`, value);
    return '';
  },
});

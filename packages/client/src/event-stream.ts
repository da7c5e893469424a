import type { Api, AskOf, QueuedEvent, ResultOf } from '@bellhop/protocol';
import { ApiError } from '@bellhop/protocol/plain';

import type { ClientOf } from './ask.ts';
import { retry } from './retry.ts';
import type { sleep } from './sleep.ts';

export type Registration = ResultOf<Api['queues']['register']>;
/** An item of a stream: the state after each registration, then the events of the queue in order. */
export type Streamed =
  | { readonly kind: 'registered'; readonly state: Registration }
  | { readonly kind: 'event'; readonly event: QueuedEvent };

export interface EventStreamOptions {
  /** Ends the stream. */
  readonly signal?: AbortSignal;
  /** Called before each wait with the error and the wait in milliseconds. */
  readonly onRetry?: (error: unknown, waitMs: number) => void;
  readonly sleep?: typeof sleep;
}

/**
 * Yields events until the caller stops reading, and then deletes the queue. Registers a queue, polls
 * it, registers anew when the server has dropped it, and waits out lost connections and rate limits.
 * Throws permanent errors: bad credentials, bad parameters.
 */
export async function* eventStream(
  client: Pick<ClientOf<Api>, 'queues'>,
  registration: AskOf<Api['queues']['register']> = {},
  options: EventStreamOptions = {},
): AsyncGenerator<Streamed, void, void> {
  const ask = repeating(options);
  const callOptions = {
    retryPolicy: false as const,
    ...(options.signal ? { signal: options.signal } : {}),
  };
  for (;;) {
    const state = await ask(() => client.queues.register(registration, callOptions));
    if (!state) return;
    const { queue_id } = state;
    if (queue_id === null) throw new Error('The server gave no queue: log in to receive events');
    let { last_event_id } = state;
    let dropped = false;
    try {
      yield { kind: 'registered', state };
      for (;;) {
        const poll = () => client.queues.events({ queue_id, last_event_id }, callOptions);
        const answer = await ask(poll);
        if (!answer) return;
        for (const event of answer.events) {
          if (event.id <= last_event_id) continue;
          last_event_id = event.id;
          if (event.type !== 'heartbeat') yield { kind: 'event', event: event as QueuedEvent };
        }
      }
    } catch (error) {
      dropped = error instanceof ApiError && error.code === 'BAD_EVENT_QUEUE_ID';
      if (!dropped) throw error;
    } finally {
      const briefly = { retryPolicy: false as const, signal: AbortSignal.timeout(5000) };
      if (!dropped) await client.queues.remove({ queue_id }, briefly).catch(() => undefined);
    }
  }
}

/** Repeats a call without limit; resolves with undefined when the signal ends it. */
function repeating({ signal, onRetry, sleep: sleepFor }: EventStreamOptions) {
  const retryPolicy = {
    signal,
    repeatable: true,
    retries: Infinity,
    maxWaitMs: Infinity,
    ...(onRetry ? { onRetry } : {}),
    ...(sleepFor ? { sleep: sleepFor } : {}),
  };
  return async <T>(question: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await retry(question, retryPolicy);
    } catch (error) {
      if (signal?.aborted) return undefined;
      throw error;
    }
  };
}

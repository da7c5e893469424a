import { setTimeout as sleep } from 'node:timers/promises';

import { ApiError, type AskOf, queues, type QueuedEvent, type ResultOf } from '@bellhop/protocol';

import type { Client } from './client.ts';

export type Registration = ResultOf<typeof queues.register>;
/** What a stream brings: a fresh state whenever a queue was registered, then its events in order. */
export type Streamed =
  | { readonly kind: 'registered'; readonly state: Registration }
  | { readonly kind: 'event'; readonly event: QueuedEvent };

/**
 * Events for as long as the caller reads on. Registers a queue, polls it, registers anew when the
 * server has dropped it, and waits out lost connections and rate limits. The queue is deleted when
 * the caller stops reading.
 */
export async function* eventStream(
  client: Client,
  registration: AskOf<typeof queues.register> = {},
  { signal }: { signal?: AbortSignal } = {},
): AsyncGenerator<Streamed, void, void> {
  const options = signal ? { signal } : {};
  while (!signal?.aborted) {
    const state = await patiently(() => client.queues.register(registration, options), signal);
    if (!state) return;
    const { queue_id } = state;
    if (queue_id === null) throw new Error('The server gave no queue: log in to receive events');
    let { last_event_id } = state;
    yield { kind: 'registered', state };
    try {
      for (;;) {
        const poll = () => client.queues.events({ queue_id, last_event_id }, options);
        const answer = await patiently(poll, signal);
        if (!answer) return;
        for (const event of answer.events) {
          last_event_id = event.id;
          if (event.type !== 'heartbeat') yield { kind: 'event', event: event as QueuedEvent };
        }
      }
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'BAD_EVENT_QUEUE_ID')) throw error;
    } finally {
      await client.queues.remove({ queue_id }).catch(() => undefined);
    }
  }
}

/** Asks again, later each time up to 30 s, while the trouble is of the passing kind. */
async function patiently<T>(ask: () => Promise<T>, signal?: AbortSignal): Promise<T | undefined> {
  for (let tries = 0; ; tries++) {
    try {
      return await ask();
    } catch (error) {
      if (signal?.aborted) return undefined;
      const wait = passing(error, tries);
      if (wait === undefined) throw error;
      await sleep(wait, undefined, signal ? { signal } : {}).catch(() => undefined);
      if (signal?.aborted) return undefined;
    }
  }
}

function passing(error: unknown, tries: number): number | undefined {
  if (error instanceof ApiError) {
    if (error.code === 'RATE_LIMIT_HIT') return Number(error.data['retry-after'] ?? 1) * 1000;
    if (error.status < 500) return undefined;
  }
  return Math.min(30_000, 250 * 2 ** tries);
}

import {
  ApiError,
  type AskOf,
  type queues,
  type QueuedEvent,
  type ResultOf,
} from '@bellhop/protocol';

import { ConnectionFailed } from './ask.ts';
import type { Client } from './client.ts';
import { sleep } from './sleep.ts';

export type Registration = ResultOf<typeof queues.register>;
/** What a stream brings: a fresh state whenever a queue was registered, then its events in order. */
export type Streamed =
  | { readonly kind: 'registered'; readonly state: Registration }
  | { readonly kind: 'event'; readonly event: QueuedEvent };

export interface StreamOptions {
  /** Ends the stream. */
  readonly signal?: AbortSignal;
  /** Told of every trouble that is waited out, and for how many milliseconds. */
  readonly onTrouble?: (error: unknown, waitMs: number) => void;
}

/**
 * Events for as long as the caller reads on. Registers a queue, polls it, registers anew when the
 * server has dropped it, and waits out lost connections and rate limits. The queue is deleted when
 * the caller stops reading. Throws what waiting does not cure: bad credentials, bad parameters.
 */
export async function* eventStream(
  client: Client,
  registration: AskOf<typeof queues.register> = {},
  options: StreamOptions = {},
): AsyncGenerator<Streamed, void, void> {
  const asking = options.signal ? { signal: options.signal } : {};
  for (;;) {
    const state = await patiently(() => client.queues.register(registration, asking), options);
    if (!state) return;
    const { queue_id } = state;
    if (queue_id === null) throw new Error('The server gave no queue: log in to receive events');
    let { last_event_id } = state;
    let dropped = false;
    try {
      yield { kind: 'registered', state };
      for (;;) {
        const poll = () => client.queues.events({ queue_id, last_event_id }, asking);
        const answer = await patiently(poll, options);
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
      const briefly = { signal: AbortSignal.timeout(5000) };
      if (!dropped) await client.queues.remove({ queue_id }, briefly).catch(() => undefined);
    }
  }
}

/** Asks again, later each time up to 30 s, while the trouble is of the passing kind. */
async function patiently<T>(
  ask: () => Promise<T>,
  { signal, onTrouble }: StreamOptions,
): Promise<T | undefined> {
  for (let tries = 0; !signal?.aborted; tries++) {
    try {
      return await ask();
    } catch (error) {
      if (signal?.aborted) return undefined;
      const waitMs = passing(error, tries);
      if (waitMs === undefined) throw error;
      onTrouble?.(error, waitMs);
      await sleep(waitMs, signal);
    }
  }
  return undefined;
}

/** How long to wait; undefined where waiting does not help. */
function passing(error: unknown, tries: number): number | undefined {
  if (error instanceof ApiError && error.code === 'RATE_LIMIT_HIT')
    return Number(error.data['retry-after'] ?? 1) * 1000;
  const may = error instanceof ApiError ? error.status >= 500 : isPassing(error);
  // Spread out, so that all the clients of a server that restarts do not come back at once.
  return may ? Math.min(30_000, 250 * 2 ** tries) * (0.5 + Math.random() / 2) : undefined;
}

const isPassing = (error: unknown) => error instanceof ConnectionFailed && error.passing;

import { listen, serveContract } from '@bellhop/http';
import { ApiError, api, type Endpoint, thisVersion } from '@bellhop/protocol';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { createClient } from './client.ts';
import { eventStream, type Streamed, type EventStreamOptions } from './event-stream.ts';

type Answer = () => Promise<object>;
const { register, events, remove } = api.queues;

/** A fake server of event queues. A test lists failures per endpoint, which happen first, in order. */
function fakeQueues() {
  let queue = 0;
  const log: { id: number; type: string; op: string }[] = [];
  const asked: string[] = [];
  const failures = new Map<Endpoint, Answer[]>();
  const removed: string[] = [];
  const answers: Record<string, (params: Record<string, unknown>) => object> = {
    [register.route]: () => ({
      queue_id: `q${++queue}`,
      last_event_id: log.at(-1)?.id ?? -1,
      ...thisVersion,
    }),
    [events.route]: ({ queue_id, last_event_id }) => {
      if (queue_id !== `q${queue}`)
        throw new ApiError('BAD_EVENT_QUEUE_ID', { data: { queue_id } });
      const fresh = log.filter(({ id }) => id > Number(last_event_id));
      return { queue_id, events: fresh };
    },
    [remove.route]: ({ queue_id }) => {
      removed.push(String(queue_id));
      return {};
    },
  };
  const handler = serveContract(api, {
    prefix: '/api/v1',
    admit: async () => undefined,
    perform: async ({ endpoint, params, exchange }) => {
      asked.push(endpoint.route);
      const trouble = failures.get(endpoint)?.shift();
      if (trouble) return trouble();
      const answer = answers[endpoint.route]?.(params) ?? {};
      const idle = endpoint === events && (answer as { events: object[] }).events.length === 0;
      if (idle)
        await new Promise((resolve) => exchange.signal().addEventListener('abort', resolve));
      return answer;
    },
    onError: () => undefined,
  });
  return {
    handler,
    asked,
    removed,
    happen: (id: number, type = 'typing') => log.push({ id, type, op: 'start' }),
    forget: () => (queue += 1),
    trouble: (endpoint: Endpoint, ...list: Answer[]) => failures.set(endpoint, list),
  };
}

let fake: ReturnType<typeof fakeQueues>;
let server: Awaited<ReturnType<typeof listen>>;
beforeEach(async () => {
  fake = fakeQueues();
  server = await listen(fake.handler);
});
afterEach(() => server.stop(0));

const stream = (options: EventStreamOptions = {}) =>
  eventStream(createClient({ url: server.url, email: 'a', apiKey: 'b' }), {}, options);
const shown = (item: Streamed) =>
  item.kind === 'event' ? item.event.id : (item.state.queue_id ?? '');

/** The next items of a stream, as their queue IDs and event IDs. */
async function take(from: AsyncGenerator<Streamed, void, void>, count: number) {
  const seen: (number | string)[] = [];
  while (seen.length < count) {
    const { done, value } = await from.next();
    if (done) break;
    seen.push(shown(value));
  }
  return seen;
}

test('a stream yields the state, then its events in order, without heartbeats', async () => {
  const events = stream();
  expect(await take(events, 1)).toEqual(['q1']);
  fake.happen(3);
  fake.happen(4, 'heartbeat');
  fake.happen(7);
  expect(await take(events, 2)).toEqual([3, 7]);
  await events.return();
  expect(fake.removed).toEqual(['q1']);
});

test('a stream whose queue the server dropped registers anew and yields the new state', async () => {
  const events = stream();
  await take(events, 1);
  fake.happen(1);
  expect(await take(events, 1)).toEqual([1]);
  fake.forget();
  expect(await take(events, 1)).toEqual(['q3']);
  fake.happen(2);
  expect(await take(events, 1)).toEqual([2]);
  await events.return();
  expect(fake.removed).toEqual(['q3']);
});

test('a stream yields every event once over lost connections and failing servers', async () => {
  const failures: string[] = [];
  const events = stream({ onRetry: (error) => failures.push((error as Error).name) });
  await take(events, 1);
  fake.happen(1);
  fake.happen(2);
  fake.trouble(
    api.queues.events,
    () => Promise.reject(new Error('a bug')),
    async () => {
      server.server.closeAllConnections();
      return {};
    },
    () => Promise.reject(new ApiError('FAILED_TO_CONNECT_BOUNCER')),
  );
  expect(await take(events, 2)).toEqual([1, 2]);
  // The answer with event 3 comes together with one that was delivered before.
  fake.trouble(api.queues.events, async () => ({
    queue_id: 'q1',
    events: [2, 3].map((id) => ({ id, type: 'typing' })),
  }));
  expect(await take(events, 1)).toEqual([3]);
  expect(failures).toEqual(['ApiError', 'ConnectionFailed', 'ApiError']);
  await events.return();
});

test('a stream waits as long as a rate limit says', async () => {
  const limited = () =>
    Promise.reject(new ApiError('RATE_LIMIT_HIT', { data: { 'retry-after': 0.05 } }));
  fake.trouble(api.queues.register, limited, limited);
  const waits: number[] = [];
  const events = stream({ onRetry: (_error, waitMs) => waits.push(waitMs) });
  expect(await take(events, 1)).toEqual(['q1']);
  expect(waits).toEqual([50, 50]);
  await events.return();
});

test('an aborted signal ends a waiting stream and deletes its queue', async () => {
  const leaving = new AbortController();
  const events = stream({ signal: leaving.signal });
  await take(events, 1);
  const waiting = events.next();
  leaving.abort();
  expect(await waiting).toEqual({ done: true, value: undefined });
  expect(fake.removed).toEqual(['q1']);
});

test('an aborted signal ends a stream between two attempts, or before its first', async () => {
  const leaving = new AbortController();
  fake.trouble(api.queues.register, () =>
    Promise.reject(new ApiError('RATE_LIMIT_HIT', { data: { 'retry-after': 3600 } })),
  );
  const events = stream({ signal: leaving.signal, onRetry: () => leaving.abort() });
  expect(await events.next()).toEqual({ done: true, value: undefined });
  expect(await stream({ signal: leaving.signal }).next()).toEqual({ done: true, value: undefined });
  expect(fake.asked).toEqual([register.route]);
});

test('a loop that breaks deletes the queue, even right after it registered', async () => {
  for await (const { kind } of stream()) if (kind === 'registered') break;
  expect(fake.removed).toEqual(['q1']);
});

test('a permanent error is thrown, and the queue is deleted', async () => {
  const events = stream();
  await take(events, 1);
  fake.trouble(api.queues.events, () => Promise.reject(new ApiError('USER_DEACTIVATED')));
  await expect(events.next()).rejects.toMatchObject({ code: 'USER_DEACTIVATED' });
  expect(fake.removed).toEqual(['q1']);
  fake.trouble(api.queues.register, async () => ({ nothing: 'documented' }));
  await expect(stream().next()).rejects.toThrow('not as documented');
  fake.trouble(api.queues.register, async () => ({
    queue_id: null,
    last_event_id: -1,
    ...thisVersion,
  }));
  await expect(stream().next()).rejects.toThrow('log in');
});

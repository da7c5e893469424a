import { randomUUID } from 'node:crypto';

import {
  ApiError,
  badRequest,
  type ClientCapabilities,
  type EventType,
  type Narrow,
  publicEvent,
  type UserId,
} from '@bellhop/protocol';

/** The registration of a client. */
interface Registration {
  readonly user_id: UserId;
  readonly apply_markdown: boolean;
  readonly client_gravatar: boolean;
  readonly all_public_streams: boolean;
  readonly capabilities: ClientCapabilities;
  /** Whether the client was made for public servers, and reads their names of values. */
  readonly reads_public_names: boolean;
  /** Null means all types. */
  readonly event_types: readonly string[] | null;
  readonly narrow: Narrow;
}
interface Reader extends Registration {
  readonly queue_id: string;
}

/** An event for the queues of an audience. */
interface AddressedEvent {
  readonly type: EventType;
  readonly audience: Iterable<UserId>;
  /** True for events of a public channel, which queues for all public channels get too. */
  readonly isPublic?: boolean;
  /** The event for a reader, without id and type; undefined if the reader does not get it. */
  readonly show: (reader: Reader) => object | undefined;
}

type QueuedEvent = Readonly<Record<string, unknown>> & {
  readonly id: number;
  readonly type: string;
};
interface Queue extends Reader {
  readonly events: QueuedEvent[];
  /** The id of the newest event. */
  newest: number;
  acknowledged: number;
  /** Ends the waiting poll. */
  wake: (() => void) | undefined;
}

interface Poll {
  readonly user_id: UserId;
  readonly queue_id: string;
  readonly last_event_id: number;
  readonly dont_block: boolean;
  readonly signal: AbortSignal;
}

/** Event queues, which never expire. */
export interface EventQueues {
  readonly register: (registration: Registration) => string;
  /** Resolves when there are events; a second poll ends the first. Throws BAD_EVENT_QUEUE_ID. */
  readonly poll: (poll: Poll) => Promise<readonly QueuedEvent[]>;
  readonly remove: (user_id: UserId, queue_id: string) => void;
  readonly publish: (event: AddressedEvent) => void;
  /** Deletes every queue: polls end with BAD_EVENT_QUEUE_ID. */
  readonly drop: () => void;
  /** The number of polls that wait for an event. */
  readonly waiting: () => number;
}

export function eventQueues({ heartbeatMs }: { readonly heartbeatMs: number }): EventQueues {
  const queues = new Map<string, Queue>();
  const find = (user_id: UserId, queue_id: string): Queue => {
    const queue = queues.get(queue_id);
    if (queue?.user_id === user_id) return queue;
    throw new ApiError('BAD_EVENT_QUEUE_ID', {
      message: `Bad event queue ID: ${queue_id.slice(0, 100).toWellFormed()}`,
      data: { queue_id },
    });
  };
  const close = (queue: Queue) => {
    queues.delete(queue.queue_id);
    queue.wake?.();
  };
  return {
    register(registration) {
      const queue_id = randomUUID();
      const empty = { events: [], newest: -1, acknowledged: -1, wake: undefined };
      queues.set(queue_id, { ...registration, queue_id, ...empty });
      return queue_id;
    },
    async poll({ user_id, queue_id, last_event_id, dont_block, signal }) {
      const queue = find(user_id, queue_id);
      acknowledge(queue, last_event_id);
      queue.wake?.();
      if (queue.events.length > 0 || dont_block) return [...queue.events];
      const isIdle = await waitForEvent(queue, { heartbeatMs, signal });
      // The queue may have been deleted meanwhile.
      find(user_id, queue_id);
      if (isIdle) return [{ type: 'heartbeat', id: ++queue.newest }];
      return [...queue.events];
    },
    remove: (user_id, queue_id) => close(find(user_id, queue_id)),
    publish({ type, audience, isPublic = false, show }) {
      const ids = new Set(audience);
      for (const queue of queues.values()) {
        const isReader = ids.has(queue.user_id) || (isPublic && queue.all_public_streams);
        if (!isReader || queue.event_types?.includes(type) === false) continue;
        const event = show(queue);
        if (!event) continue;
        const named = queue.reads_public_names ? publicEvent(type, event) : event;
        queue.events.push({ ...named, type, id: ++queue.newest });
        queue.wake?.();
      }
    },
    drop: () => [...queues.values()].forEach(close),
    waiting: () => [...queues.values()].filter(({ wake }) => wake).length,
  };
}

function acknowledge(queue: Queue, last_event_id: number): void {
  if (last_event_id < queue.acknowledged)
    throw badRequest(`An event newer than ${last_event_id} has already been pruned!`);
  if (last_event_id > queue.newest)
    throw badRequest(`Event ${last_event_id} was never in this queue`);
  queue.acknowledged = last_event_id;
  const left = queue.events.filter(({ id }) => id > last_event_id);
  queue.events.splice(0, queue.events.length, ...left);
}

interface WaitOptions {
  readonly heartbeatMs: number;
  readonly signal: AbortSignal;
}

/** Waits for an event or an abort; resolves with true if neither comes within `heartbeatMs`. */
function waitForEvent(queue: Queue, { heartbeatMs, signal }: WaitOptions): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isIdle: boolean) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', wake);
      if (queue.wake === wake) queue.wake = undefined;
      resolve(isIdle);
    };
    const wake = () => end(false);
    const timer = setTimeout(() => end(true), heartbeatMs);
    queue.wake = wake;
    signal.addEventListener('abort', wake);
    if (signal.aborted) wake();
  });
}

import { randomUUID } from 'node:crypto';

import {
  ApiError,
  badRequest,
  type ClientCapabilities,
  type Narrow,
  type UserId,
} from '@bellhop/protocol';

/** What a client said when it registered. */
export interface Registration {
  readonly user_id: UserId;
  readonly apply_markdown: boolean;
  readonly client_gravatar: boolean;
  readonly all_public_streams: boolean;
  readonly capabilities: ClientCapabilities;
  /** Null for all. */
  readonly event_types: readonly string[] | null;
  readonly narrow: Narrow;
}
export interface Reader extends Registration {
  readonly queue_id: string;
}

/** Something that those in the audience are told, each as they want to see it. */
export interface Happening {
  readonly type: string;
  readonly audience: Iterable<UserId>;
  /** Whether it was in a public channel: queues for all public channels hear of it too. */
  readonly isPublic?: boolean;
  /** The event without its id and type; undefined where this reader is not concerned. */
  readonly show: (reader: Reader) => object | undefined;
}

export type QueuedEvent = Readonly<Record<string, unknown>> & {
  readonly id: number;
  readonly type: string;
};
interface Queue extends Reader {
  readonly events: QueuedEvent[];
  /** Of the newest event. */
  newest: number;
  acknowledged: number;
  /** Ends the poll that waits. */
  wake: (() => void) | undefined;
}

export interface Poll {
  readonly user_id: UserId;
  readonly queue_id: string;
  readonly last_event_id: number;
  readonly dont_block: boolean;
  readonly signal: AbortSignal;
}

/** Event queues, kept until they are deleted or dropped. */
export interface EventQueues {
  readonly register: (registration: Registration) => string;
  /** Answers as soon as there is something; a second poll ends the first. BAD_EVENT_QUEUE_ID. */
  readonly poll: (poll: Poll) => Promise<readonly QueuedEvent[]>;
  readonly remove: (user_id: UserId, queue_id: string) => void;
  readonly tell: (happening: Happening) => void;
  /** Forgets every queue, as a server does that lost them: polls end with BAD_EVENT_QUEUE_ID. */
  readonly drop: () => void;
  /** How many polls wait for something to happen. */
  readonly waiting: () => number;
}

export function eventQueues({ heartbeatMs }: { readonly heartbeatMs: number }): EventQueues {
  const queues = new Map<string, Queue>();
  const find = (user_id: UserId, queue_id: string): Queue => {
    const queue = queues.get(queue_id);
    if (queue?.user_id === user_id) return queue;
    throw new ApiError('BAD_EVENT_QUEUE_ID', {
      message: `Bad event queue ID: ${queue_id.slice(0, 100)}`,
      data: { queue_id },
    });
  };
  const forget = (queue: Queue) => {
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
      const isBeat = await waits(queue, { heartbeatMs, signal });
      // It may have been dropped meanwhile.
      find(user_id, queue_id);
      if (isBeat) return [{ type: 'heartbeat', id: ++queue.newest }];
      return [...queue.events];
    },
    remove: (user_id, queue_id) => forget(find(user_id, queue_id)),
    tell({ type, audience, isPublic = false, show }) {
      const told = new Set(audience);
      for (const queue of queues.values()) {
        const hears = told.has(queue.user_id) || (isPublic && queue.all_public_streams);
        if (!hears || queue.event_types?.includes(type) === false) continue;
        const event = show(queue);
        if (!event) continue;
        queue.events.push({ ...event, type, id: ++queue.newest });
        queue.wake?.();
      }
    },
    drop: () => [...queues.values()].forEach(forget),
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

interface Waiting {
  readonly heartbeatMs: number;
  readonly signal: AbortSignal;
}

/** Until something happens; true when nothing did for as long as a poll may last. */
function waits(queue: Queue, { heartbeatMs, signal }: Waiting): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isBeat: boolean) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', wake);
      if (queue.wake === wake) queue.wake = undefined;
      resolve(isBeat);
    };
    const wake = () => end(false);
    const timer = setTimeout(() => end(true), heartbeatMs);
    queue.wake = wake;
    signal.addEventListener('abort', wake);
    if (signal.aborted) wake();
  });
}

import type { StoredEvent } from './stored-event.ts';

/**
 * How the look-ups of polls are batched. When thousands of polls return at once, they take one connection
 * to the database, and none of them waits for a connection until the pool gives up.
 */
export const POLL_BATCHES = { size: 500, startsAtOnce: true } as const;

interface PollWaiter {
  readonly onEvents: (events: readonly StoredEvent[]) => void;
  readonly onEnd: () => void;
}

/** A poll from its request to its response. Thousands wait at a time, so each is small. */
export class OpenPoll {
  readonly queue_id: string;
  #isEnded = false;
  /** Events that came before the poll waits for them. */
  #seen: StoredEvent[] | undefined;
  #waiter: PollWaiter | undefined;

  constructor(queue_id: string) {
    this.queue_id = queue_id;
  }

  /** True while the poll waits for events. */
  get isWaiting(): boolean {
    return this.#waiter !== undefined;
  }

  /** Calls back with events and when the poll is ended; at once with those that arrived earlier. */
  wait(waiter: PollWaiter): void {
    const seen = this.#seen;
    this.#seen = undefined;
    this.#waiter = waiter;
    if (this.#isEnded) waiter.onEnd();
    else if (seen) waiter.onEvents(seen);
  }

  stopWaiting(): void {
    this.#waiter = undefined;
  }

  receive(events: readonly StoredEvent[]): void {
    if (this.#waiter) this.#waiter.onEvents(events);
    else (this.#seen ??= []).push(...events);
  }

  /** Makes the poll respond without events. */
  end(): void {
    this.#isEnded = true;
    this.#waiter?.onEnd();
  }
}

/**
 * The polls on this node by queue. A poll is listed before its queue is read from the database, so
 * that it does not miss the deletion of the queue or a later poll.
 */
export class OpenPolls {
  /** Polls by queue, the oldest first: usually one. */
  readonly #byQueue = new Map<string, readonly OpenPoll[]>();

  open(queue_id: string): OpenPoll {
    const poll = new OpenPoll(queue_id);
    this.#byQueue.set(queue_id, [...(this.#byQueue.get(queue_id) ?? []), poll]);
    return poll;
  }

  close(poll: OpenPoll): void {
    const { queue_id } = poll;
    const others = this.#byQueue.get(queue_id)?.filter((other) => other !== poll) ?? [];
    if (others.length > 0) this.#byQueue.set(queue_id, others);
    else this.#byQueue.delete(queue_id);
  }

  /** Ends the polls of a queue: all, or those opened before `later`. */
  end(queue_id: string, later?: OpenPoll): void {
    for (const poll of this.#byQueue.get(queue_id) ?? []) {
      if (poll === later) return;
      poll.end();
    }
  }

  endAll(): void {
    for (const queue_id of this.#byQueue.keys()) this.end(queue_id);
  }

  queueIds(): string[] {
    return [...this.#byQueue.keys()];
  }

  /** The number of polls that wait for events. */
  get waiting(): number {
    let waiting = 0;
    for (const polls of this.#byQueue.values())
      for (const poll of polls) if (poll.isWaiting) waiting++;
    return waiting;
  }
}

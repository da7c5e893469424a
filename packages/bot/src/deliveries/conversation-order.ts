/**
 * What happens to a message while another of its conversation is being handled. `queue`: it waits.
 * `latest`: it stops the one before, whose reply is dropped, and replaces those that wait.
 * `parallel`: nothing, both run.
 */
export type Order = 'queue' | 'latest' | 'parallel';

/** Something that runs in the order of its conversation. */
export interface ConversationTask {
  /** Never rejects, and is no promise when it has ended already. */
  run(): Promise<void> | undefined;
  /** A newer one has come: what still runs should stop, what waits is not run. */
  supersede(): void;
}

interface ConversationQueue {
  running: ConversationTask;
  readonly waiting: ConversationTask[];
}

/** Runs one thing per conversation at a time, the others in the order they came. */
export class ConversationOrder {
  readonly #queues = new Map<string, ConversationQueue>();
  readonly #maxWaiting: number;

  constructor(maxWaiting: number) {
    this.#maxWaiting = maxWaiting;
  }

  /** False when too many wait in this conversation already. */
  add(key: string, next: ConversationTask, order: Order): boolean {
    if (order === 'parallel') {
      void next.run();
      return true;
    }
    const queue = this.#queues.get(key);
    if (queue === undefined) {
      const running = next.run();
      if (running !== undefined) void this.#work(key, { running: next, waiting: [] }, running);
      return true;
    }
    if (order === 'latest') {
      queue.running.supersede();
      for (const waiting of queue.waiting.splice(0)) waiting.supersede();
    } else if (queue.waiting.length >= this.#maxWaiting) return false;
    queue.waiting.push(next);
    return true;
  }

  async #work(key: string, queue: ConversationQueue, first: Promise<void>): Promise<void> {
    this.#queues.set(key, queue);
    await first;
    for (let next = queue.waiting.shift(); next !== undefined; next = queue.waiting.shift()) {
      queue.running = next;
      await next.run();
    }
    this.#queues.delete(key);
  }
}

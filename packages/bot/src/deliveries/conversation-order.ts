/**
 * What happens to a message while another of its conversation is being handled. `queue`: it waits.
 * `latest`: it stops the one before, whose reply is dropped, and replaces those that wait.
 * `parallel`: nothing, both run.
 */
export type Order = 'queue' | 'latest' | 'parallel';

/** Something that runs in the order of its conversation. */
export interface Ordered {
  /** Never rejects, and is no promise when it has ended already. */
  run(): Promise<void> | undefined;
  /** A newer one has come: what still runs should stop, what waits is not run. */
  supersede(): void;
}

interface Line {
  running: Ordered;
  readonly waiting: Ordered[];
}

/** Runs one thing per conversation at a time, the others in the order they came. */
export class ConversationOrder {
  readonly #lines = new Map<string, Line>();
  readonly #maxWaiting: number;

  constructor(maxWaiting: number) {
    this.#maxWaiting = maxWaiting;
  }

  /** False when too many wait in this conversation already. */
  add(key: string, next: Ordered, order: Order): boolean {
    if (order === 'parallel') {
      void next.run();
      return true;
    }
    const line = this.#lines.get(key);
    if (line === undefined) {
      const running = next.run();
      if (running !== undefined) void this.#work(key, { running: next, waiting: [] }, running);
      return true;
    }
    if (order === 'latest') {
      line.running.supersede();
      for (const waiting of line.waiting.splice(0)) waiting.supersede();
    } else if (line.waiting.length >= this.#maxWaiting) return false;
    line.waiting.push(next);
    return true;
  }

  async #work(key: string, line: Line, first: Promise<void>): Promise<void> {
    this.#lines.set(key, line);
    await first;
    for (let next = line.waiting.shift(); next !== undefined; next = line.waiting.shift()) {
      line.running = next;
      await next.run();
    }
    this.#lines.delete(key);
  }
}

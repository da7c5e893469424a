/** A poll from its request to its response. */
export class OpenPoll {
  #isEnded = false;
  #onEnd: (() => void) | undefined;

  /** True while the poll waits for events. */
  get isWaiting(): boolean {
    return this.#onEnd !== undefined;
  }

  /** Waits for events. Calls back when the poll is ended: at once if it was ended before. */
  wait(onEnd: () => void): void {
    this.#onEnd = onEnd;
    if (this.#isEnded) onEnd();
  }

  stopWaiting(): void {
    this.#onEnd = undefined;
  }

  /** Makes the poll respond without events. */
  end(): void {
    this.#isEnded = true;
    this.#onEnd?.();
  }
}

/**
 * The polls on this node by queue. A poll is listed before its queue is read from the database:
 * what ends it meanwhile (the deletion of the queue, a later poll) is not missed.
 */
export class OpenPolls {
  readonly #byQueue = new Map<string, Set<OpenPoll>>();

  open(queue_id: string): OpenPoll {
    const poll = new OpenPoll();
    const polls = this.#byQueue.get(queue_id) ?? new Set();
    this.#byQueue.set(queue_id, polls.add(poll));
    return poll;
  }

  close(queue_id: string, poll: OpenPoll): void {
    const polls = this.#byQueue.get(queue_id);
    polls?.delete(poll);
    if (polls?.size === 0) this.#byQueue.delete(queue_id);
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

interface WaitingCall<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

const MAX_BATCH = 500;

/**
 * Joins calls into batches, one at a time: calls that come while a batch runs wait for the next. When
 * thousands of polls return at once, they take one connection to the database, and none of them waits
 * for a connection until the pool gives up.
 */
export class BatchedCalls<Item, Result> {
  readonly #run: (items: readonly Item[]) => Promise<readonly Result[]>;
  #waiting: WaitingCall<Item, Result>[] = [];
  #isRunning = false;

  /** `run` returns one result per item, in the same order. If it rejects, all calls of the batch do. */
  constructor(run: (items: readonly Item[]) => Promise<readonly Result[]>) {
    this.#run = run;
  }

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (!this.#isRunning) void this.#runAll();
    });
  }

  async #runAll(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, MAX_BATCH);
      try {
        const results = await this.#run(batch.map(({ item }) => item));
        for (const [at, { resolve }] of batch.entries()) resolve(results[at] as Result);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#isRunning = false;
  }
}

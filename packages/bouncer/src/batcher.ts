import { isRolledBack } from '@bellhop/postgres';

/** Settles every request of a batch, in their order. */
export type BatchRun<Request, Result> = (
  requests: readonly Request[],
) => Promise<readonly PromiseSettledResult<Result>[]>;

interface Waiting<Request, Result> {
  readonly request: Request;
  readonly settle: PromiseWithResolvers<Result>;
}

const MAX_BATCH_SIZE = 64;

/**
 * Runs requests in batches, which share their statements: those that arrive while a batch runs are the
 * next one. If the database refuses a batch, each of its requests runs alone.
 */
export class Batcher<Request, Result> {
  readonly #run: BatchRun<Request, Result>;
  readonly #waiting: Waiting<Request, Result>[] = [];
  #isRunning = false;

  constructor(run: BatchRun<Request, Result>) {
    this.#run = run;
  }

  add(request: Request): Promise<Result> {
    const settle = Promise.withResolvers<Result>();
    this.#waiting.push({ request, settle });
    if (!this.#isRunning) void this.#runAll();
    return settle.promise;
  }

  async #runAll(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.length > 0) {
      // Requests that arrive in the same turn of the event loop join the batch.
      await new Promise(setImmediate);
      await this.#runBatch(this.#waiting.splice(0, MAX_BATCH_SIZE));
    }
    this.#isRunning = false;
  }

  async #runBatch(batch: readonly Waiting<Request, Result>[]): Promise<void> {
    try {
      const results = await this.#run(batch.map(({ request }) => request));
      for (const [index, { settle }] of batch.entries()) {
        const result = results[index];
        if (result?.status === 'fulfilled') settle.resolve(result.value);
        else settle.reject(result?.reason ?? new Error('a batch has no result for a request'));
      }
    } catch (error) {
      if (batch.length > 1 && isRolledBack(error)) {
        for (const one of batch) await this.#runBatch([one]);
        return;
      }
      for (const { settle } of batch) settle.reject(error);
    }
  }
}

/**
 * Shares reads among concurrent requests. `read` returns the result for each key, in their order.
 */
export const batchedReads = <Key, Found>(
  read: (keys: readonly Key[]) => Promise<readonly Found[]>,
): Batcher<Key, Found> =>
  new Batcher(async (keys) =>
    (await read(keys)).map((value) => ({ status: 'fulfilled', value }) as const),
  );

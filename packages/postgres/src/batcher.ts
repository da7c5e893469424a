import { isRolledBack } from './error-code.ts';

/**
 * Settles every request of a batch, in their order. The next batch starts when this one has ended, or
 * earlier, as soon as this one calls `startNext`.
 */
export type BatchRun<Request, Result> = (
  requests: readonly Request[],
  startNext: () => void,
) => Promise<readonly PromiseSettledResult<Result>[]>;

export interface BatcherOptions {
  /** The most requests of a batch. Default: 64. */
  readonly size?: number;
  /**
   * The first request starts a batch at once. By default the requests that arrive in the same turn of
   * the event loop join it.
   */
  readonly startsAtOnce?: boolean;
  /** Called when no request waits and the next batch may start, before another request can arrive. */
  readonly onIdle?: () => void;
}

interface Waiting<Request, Result> {
  readonly request: Request;
  readonly settle: PromiseWithResolvers<Result>;
}

/**
 * Runs requests in batches, which share their statements: those that arrive while a batch runs are the
 * next one, in the order of their arrival. If the database refuses a batch, which is then rolled back,
 * each of its requests runs alone: one of them is the reason. After any other error all of them reject:
 * the database is lost, busy or too slow, or the outcome is unknown.
 */
export class Batcher<Request, Result> {
  readonly #run: BatchRun<Request, Result>;
  readonly #options: BatcherOptions;
  readonly #waiting: Waiting<Request, Result>[] = [];
  #isRunning = false;

  constructor(run: BatchRun<Request, Result>, options: BatcherOptions = {}) {
    this.#run = run;
    this.#options = options;
  }

  add(request: Request): Promise<Result> {
    const settle = Promise.withResolvers<Result>();
    this.#waiting.push({ request, settle });
    if (!this.#isRunning) void this.#runAll();
    return settle.promise;
  }

  async #runAll(): Promise<void> {
    const { size = 64, startsAtOnce = false, onIdle } = this.#options;
    this.#isRunning = true;
    while (this.#waiting.length > 0) {
      if (!startsAtOnce) await new Promise(setImmediate);
      const batch = this.#waiting.splice(0, size);
      await new Promise<void>((startNext) => {
        void this.#runBatch(batch, startNext).then(startNext);
      });
    }
    this.#isRunning = false;
    onIdle?.();
  }

  async #runBatch(
    batch: readonly Waiting<Request, Result>[],
    startNext: () => void,
  ): Promise<void> {
    try {
      const results = await this.#run(
        batch.map(({ request }) => request),
        startNext,
      );
      for (const [index, { settle }] of batch.entries()) {
        const result = results[index];
        if (result?.status === 'fulfilled') settle.resolve(result.value);
        else settle.reject(result?.reason ?? new Error('A batch has no result for a request'));
      }
    } catch (error) {
      if (batch.length > 1 && isRolledBack(error)) {
        for (const one of batch) await this.#runBatch([one], () => {});
        return;
      }
      for (const { settle } of batch) settle.reject(error);
    }
  }
}

/** The results of a batch that has a value for each request. */
export const fulfilled = <Result>(
  values: readonly Result[],
): readonly PromiseFulfilledResult<Result>[] =>
  values.map((value) => ({ status: 'fulfilled', value }));

/** Shares a statement among concurrent reads. `read` returns the result for each key, in their order. */
export const batchedReads = <Key, Found>(
  read: (keys: readonly Key[]) => Promise<readonly Found[]>,
  options?: BatcherOptions,
): Batcher<Key, Found> => new Batcher(async (keys) => fulfilled(await read(keys)), options);

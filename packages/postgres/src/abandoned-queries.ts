import { Client, type ClientConfig, type PoolClient } from 'pg';

import { sessionOf } from './session.ts';

/** Materializing a signal costs more than most queries, so it is done only for long ones. */
const LOOK_EVERY_MS = 250;

interface RunningQuery {
  readonly client: PoolClient;
  readonly signal: () => AbortSignal;
  /** Removes the listener of the signal. Undefined until the query has taken a while. */
  unwatch?: () => void;
  /** The query is being cancelled: its connection is not used again. */
  isAbandoned: boolean;
}

/** Cancels queries on the server when nobody waits for them any more. */
export class AbandonedQueries {
  readonly #config: ClientConfig;
  readonly #onError: (error: unknown) => void;
  readonly #running = new Set<RunningQuery>();
  #timer: NodeJS.Timeout | undefined;

  constructor(config: ClientConfig, onError: (error: unknown) => void) {
    this.#config = config;
    this.#onError = onError;
  }

  /**
   * Runs queries on a connection and releases it. When the signal is aborted, stops the running
   * query and rejects with the signal's reason.
   */
  async run<Result>(
    client: PoolClient,
    signal: () => AbortSignal,
    { work, release }: { work: () => Promise<Result>; release: (isSpoilt: boolean) => void },
  ): Promise<Result> {
    const query: RunningQuery = { client, signal, isAbandoned: false };
    this.#running.add(query);
    this.#timer ??= setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
    try {
      return await work();
    } catch (error) {
      throw query.isAbandoned ? signal().reason : error;
    } finally {
      this.#running.delete(query);
      query.unwatch?.();
      release(query.isAbandoned);
    }
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    for (const query of this.#running) {
      if (query.unwatch) continue;
      const signal = query.signal();
      const abandon = () => {
        query.isAbandoned = true;
        this.#cancel(sessionOf(query.client).pid).catch(this.#onError);
      };
      query.unwatch = () => signal.removeEventListener('abort', abandon);
      if (signal.aborted) abandon();
      else signal.addEventListener('abort', abandon);
    }
    if (this.#running.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Uses a connection of its own: the pool may be full of abandoned queries. */
  async #cancel(pid: number): Promise<void> {
    const client = new Client(this.#config);
    client.on('error', this.#onError);
    try {
      await client.connect();
      await client.query('select pg_cancel_backend($1)', [pid]);
    } finally {
      await client.end();
    }
  }
}

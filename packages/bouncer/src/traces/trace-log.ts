import type { Kysely } from 'kysely';
import type { Logger } from 'pino';

import type { Metrics } from '../metrics.ts';
import type { BouncerTables } from '../storage/tables.ts';
import { insertEntries } from './queries.ts';
import type { TraceEntry } from './trace-entry.ts';

/** How long an entry waits for others, in milliseconds. */
const FLUSH_MS = 250;
const MAX_BATCH_SIZE = 1_000;
/** Entries that wait at most: further ones are dropped, so that a slow database does not fill the memory. */
const MAX_WAITING = 20_000;

interface TraceLogOptions {
  readonly kysely: Kysely<BouncerTables>;
  /** How many entries are kept; 0 turns traces off. */
  readonly limit: () => number;
  readonly metrics: Pick<Metrics, 'tracesDropped'>;
  readonly log: Logger;
  /** UNIX milliseconds. */
  readonly now: () => number;
}

/**
 * Writes traces in batches, apart from the pushes, which do not wait for them. Traces that a killed
 * node has not written are lost.
 */
export class TraceLog {
  readonly #options: TraceLogOptions;
  #waiting: TraceEntry[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(options: TraceLogOptions) {
    this.#options = options;
  }

  add(entries: readonly TraceEntry[]): void {
    if (entries.length === 0 || this.#options.limit() === 0) return;
    if (this.#waiting.length + entries.length > MAX_WAITING) {
      this.#options.metrics.tracesDropped.inc(entries.length);
      return;
    }
    this.#waiting.push(...entries);
    this.#timer ??= setTimeout(() => void this.flush(), FLUSH_MS);
  }

  /** Resolves when everything that was added before is written, or lost. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  async #write(): Promise<void> {
    const { kysely, metrics, log, now } = this.#options;
    const entries = this.#waiting;
    this.#waiting = [];
    try {
      for (let at = 0; at < entries.length; at += MAX_BATCH_SIZE)
        await insertEntries(kysely, entries.slice(at, at + MAX_BATCH_SIZE), new Date(now()));
    } catch (error) {
      metrics.tracesDropped.inc(entries.length);
      log.warn({ err: error }, 'traces of notifications were not written');
    }
  }
}

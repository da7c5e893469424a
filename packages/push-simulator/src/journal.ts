import { EventEmitter } from 'node:events';

import type { Notification } from './notification.ts';

/** One request to a provider, without its credentials. */
export interface RequestEntry {
  seq: number;
  /** Unix time in milliseconds. */
  time: number;
  provider: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  /** Bytes of the body. */
  size: number;
  /** The body as text; empty for requests to the token endpoint, whose bodies are credentials. */
  body: string;
  token: string | null;
  /** Joins the request with the traces of other services; null without a ciphertext. */
  cipher_id: string | null;
  /** Null if there was no answer. */
  status: number | null;
  /** The body of the answer; empty if there was none or if it is a credential. */
  answer: string;
  /** `delivered`, `stored`, `dropped`, `validated`, `token`, a provider's reason, or `fault: <name>`. */
  outcome: string;
}

export type JournalEvent =
  | ({ type: 'request' } & RequestEntry)
  | { type: 'notification'; notification: Notification }
  | { type: 'device'; op: 'add' | 'online' | 'offline' | 'uninstall'; token: string }
  | { type: 'fault'; op: 'add' | 'spent' | 'clear'; fault_id: number }
  | { type: 'scenario'; op: 'start' | 'step' | 'end'; name: string; step: number };

const maxRequests = 1000;

/** Keeps the latest requests, counts outcomes and reports both to listeners. */
export class Journal {
  readonly #listeners = new EventEmitter<{ event: [JournalEvent] }>().setMaxListeners(0);
  readonly #requests: RequestEntry[] = [];
  readonly #counters = new Map<string, number>();
  #seq = 0;

  record(request: Omit<RequestEntry, 'seq'>): void {
    const entry = { seq: ++this.#seq, ...request };
    this.#requests.push(entry);
    if (this.#requests.length > 2 * maxRequests) this.#requests.splice(0, maxRequests);
    const counter = `${entry.provider}.${entry.outcome}`;
    this.#counters.set(counter, (this.#counters.get(counter) ?? 0) + 1);
    this.report({ type: 'request', ...entry });
  }

  report(event: JournalEvent): void {
    this.#listeners.emit('event', event);
  }

  /** Calls back with each event from now on. Returns a function that ends it. */
  listen(onEvent: (event: JournalEvent) => void): () => void {
    this.#listeners.on('event', onEvent);
    return () => void this.#listeners.off('event', onEvent);
  }

  /** The latest requests (1000 at most) after the given `seq`, oldest first. */
  requests(after = 0): RequestEntry[] {
    return this.#requests.slice(-maxRequests).filter(({ seq }) => seq > after);
  }

  /** The requests after `seq`; waits for one if there is none. Empty when `signal` aborts first. */
  async nextRequests(after: number, signal: AbortSignal): Promise<RequestEntry[]> {
    const known = this.requests(after);
    if (known.length > 0 || signal.aborted) return known;
    const { promise, resolve } = Promise.withResolvers<void>();
    const end = this.listen(({ type }) => {
      if (type === 'request') resolve();
    });
    signal.addEventListener('abort', () => resolve(), { once: true });
    await promise;
    end();
    return this.requests(after);
  }

  /** How often each `<provider>.<outcome>` occurred. */
  counters(): Record<string, number> {
    return Object.fromEntries(this.#counters);
  }
}

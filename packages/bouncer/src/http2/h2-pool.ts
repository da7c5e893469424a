import { H2Session, type H2SessionOptions } from './h2-session.ts';
import { PendingRequest, H2Failure, type H2Request, type H2Response } from './pending-request.ts';

export interface H2PoolOptions extends Partial<H2SessionOptions> {
  readonly origin: string;
  readonly maxSessions?: number;
  /** From the call to the last byte of the response, including the wait for a session. */
  readonly requestTimeoutMs?: number;
  /** Called when connecting fails, and when a peer sends GOAWAY or becomes silent. */
  readonly trouble?: (what: string, error?: Error) => void;
}

export interface H2PoolState {
  readonly sessions: number;
  readonly draining: number;
  readonly streams: number;
  readonly bytes: number;
  readonly queued: number;
}

const MAX_RECONNECT_DELAY_MS = 10_000;

/**
 * Spreads requests over a few HTTP/2 connections to one origin. A request that the peer certainly did
 * not process (GOAWAY, REFUSED_STREAM) is sent again; any other is never repeated. Opens another
 * connection while all are full, and reconnects, with a new DNS lookup, when one ends.
 */
export class H2Pool {
  readonly #options: H2SessionOptions & Required<Pick<H2PoolOptions, 'maxSessions' | 'trouble'>>;
  readonly #requestTimeoutMs: number;
  readonly #sessions = new Set<H2Session>();
  readonly #returning = new Map<PendingRequest, NodeJS.Timeout>();
  #queue: PendingRequest[] = [];
  #head = 0;
  #failures = 0;
  #reconnect: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: H2PoolOptions) {
    const { requestTimeoutMs = 5_000, ...rest } = options;
    this.#requestTimeoutMs = requestTimeoutMs;
    this.#options = {
      connectTimeoutMs: 5_000,
      pingBusyMs: 2_000,
      pingIdleMs: 30_000,
      pingTimeoutMs: 2_000,
      firstAnswerMs: 500,
      maxResponseBytes: 65_536,
      maxStreams: 500,
      maxSessions: 4,
      trouble: () => {},
      ...rest,
    };
  }

  /** Sends a POST. Resolves with a response of any status; rejects with `H2Failure`. */
  request(request: H2Request): Promise<H2Response> {
    const pending = new PendingRequest(request, this.#requestTimeoutMs);
    if (this.#closed) pending.fail(new H2Failure('closed', 'the pool is closed'));
    else this.#enqueue(pending);
    return pending.response;
  }

  /** Uses new connections from now on; the present ones close after their open requests. */
  retireSessions(): void {
    for (const session of this.#sessions) session.drain();
  }

  state(): H2PoolState {
    const all = [...this.#sessions];
    return {
      sessions: all.filter(({ state }) => state === 'open').length,
      draining: all.filter(({ state }) => state === 'draining').length,
      streams: all.reduce((sum, { streams }) => sum + streams, 0),
      bytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
      queued: this.#queue.length - this.#head + this.#returning.size,
    };
  }

  /** Closes every connection. Open requests fail with `closed`. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#reconnect);
    const failure = new H2Failure('closed', 'the pool is closed');
    for (const [pending, timer] of this.#returning) {
      clearTimeout(timer);
      pending.fail(failure);
    }
    this.#failQueued(failure);
    for (const session of this.#sessions) session.destroy();
  }

  #enqueue(pending: PendingRequest): void {
    this.#queue.push(pending);
    this.#pump();
  }

  #pump(): void {
    for (;;) {
      const next = this.#queue[this.#head];
      if (!next) break;
      if (!next.settled) {
        const session = this.#leastBusy(next.body.length);
        if (!session) {
          this.#grow();
          break;
        }
        this.#advance();
        session.send(next);
      } else this.#advance();
    }
  }

  #advance(): void {
    this.#head++;
    if (this.#head < 1_024 || this.#head * 2 < this.#queue.length) return;
    this.#queue = this.#queue.slice(this.#head);
    this.#head = 0;
  }

  #leastBusy(bytes: number): H2Session | undefined {
    let best: H2Session | undefined;
    for (const session of this.#sessions)
      if ((!best || session.streams < best.streams) && session.hasRoomFor(bytes)) best = session;
    return best;
  }

  // Opens one connection at a time, and only when all others have answered a request.
  #grow(): void {
    if (this.#closed || this.#reconnect) return;
    const usable = [...this.#sessions].filter(
      ({ state }) => state === 'opening' || state === 'open',
    );
    if (usable.length >= this.#options.maxSessions) return;
    if (usable.some((session) => !session.proven)) return;
    this.#open();
  }

  #open(): void {
    const session = new H2Session(this.#options, {
      open: () => {
        this.#failures = 0;
        this.#pump();
      },
      draining: (reason) => {
        this.#options.trouble(`the peer closes a connection${reason && `: ${reason}`}`);
        this.#pump();
      },
      room: () => this.#pump(),
      refused: (pending) => this.#takeBack(pending),
      gone: (error) => {
        this.#sessions.delete(session);
        if (error) this.#couldNotConnect(error);
        else this.#pump();
      },
    });
    this.#sessions.add(session);
  }

  #takeBack(pending: PendingRequest): void {
    if (pending.settled) return;
    if (this.#closed) {
      pending.fail(new H2Failure('closed', 'the pool is closed'));
      return;
    }
    // Resends at once after the first refusal, later with growing delays.
    const delay = pending.refusals++ === 0 ? 0 : Math.min(500, 10 * 2 ** pending.refusals);
    const timer = setTimeout(() => {
      this.#returning.delete(pending);
      this.#enqueue(pending);
    }, delay);
    this.#returning.set(pending, timer);
  }

  #couldNotConnect(error: Error): void {
    if (this.#closed) return;
    this.#options.trouble(`cannot connect to ${this.#options.origin}`, error);
    const delay = Math.min(MAX_RECONNECT_DELAY_MS, 100 * 2 ** this.#failures++);
    clearTimeout(this.#reconnect);
    this.#reconnect = setTimeout(() => {
      this.#reconnect = undefined;
      this.#pump();
    }, delay);
    if (this.#sessions.size === 0)
      this.#failQueued(
        new H2Failure('connect', `cannot connect to ${this.#options.origin}`, error),
      );
  }

  #failQueued(failure: H2Failure): void {
    const queued = this.#queue.slice(this.#head);
    this.#queue = [];
    this.#head = 0;
    for (const pending of queued) pending.fail(failure);
  }
}

import type { Kysely } from 'kysely';

import type { BouncerTables } from '../storage/tables.ts';
import { type Claim, claimUses, returnUses } from './queries.ts';

/** Uses of a quota that are to be counted. */
export interface QuotaUse {
  /** The subject of the quota: `server UUID`, `realm UUID` or `device ID`. */
  readonly subject: string;
  readonly quota: string;
  readonly limit: number;
  readonly seconds: number;
  readonly count: number;
}
export interface CounterState {
  readonly remaining: number;
  /** Until the window ends. */
  readonly resetMs: number;
}

/** The part of a limit that a node may hold in advance, which others may then miss. */
const MAX_LEASED_PART = 1 / 50;
/** A node that claims again within this time claims twice as much in advance. */
const LEASE_MS = 1_000;
/** What a node has not used this long after its last claim it gives back. */
const RETURN_MS = 2_000;
/** Others may give uses back: a refused node asks again after this time. */
const REFUSED_MS = 1_000;

/** The state of one quota of one subject in the current window, on this node. */
interface Counter {
  readonly subject: string;
  readonly quota: string;
  readonly windowStart: number;
  readonly windowEnd: number;
  limit: number;
  /** Claimed from the database and not used yet. */
  left: number;
  /** Claimed and to be given back: by the next claim, if not before. */
  surplus: number;
  /** The uses claimed by all nodes, as of the last claim. */
  claimed: number;
  /** The number of uses that the next claim takes in advance. */
  lease: number;
  /** By `performance.now()`. */
  claimedAt: number;
  /** When the database last had no uses left, by `performance.now()`. */
  exhaustedAt: number;
  claiming: Promise<void> | undefined;
}

interface SharedCountersOptions {
  readonly kysely: Kysely<BouncerTables>;
  /** UNIX milliseconds. */
  readonly now: () => number;
}

/**
 * Counts uses of quotas for all nodes, in windows of whole minutes and days. A node claims uses from the
 * database and, of a busy subject, about as many in advance as it needs in a second: then most uses cost no
 * query. It gives back what it does not use, so that the database has what was really used. All nodes
 * together never allow more than the limit.
 */
export class SharedCounters {
  readonly #options: SharedCountersOptions;
  readonly #counters = new Map<string, Counter>();
  #sweptAt = 0;
  #returning: NodeJS.Timeout | undefined;

  constructor(options: SharedCountersOptions) {
    this.#options = options;
  }

  /** Counts all of the uses, or none: then returns the first one without room. */
  async take(uses: readonly QuotaUse[]): Promise<QuotaUse | undefined> {
    this.#sweep();
    for (;;) {
      const short = uses.filter((use) => this.#counter(use).left < use.count);
      if (short.length === 0) break;
      const refused = short.find((use) => isExhausted(this.#counter(use)));
      if (refused) return refused;
      const claiming = short.map((use) => this.#counter(use).claiming).find(Boolean);
      await (claiming ?? this.#claim(short));
    }
    for (const use of uses) this.#counter(use).left -= use.count;
    return undefined;
  }

  stateOf(use: Omit<QuotaUse, 'count'>): CounterState {
    const counter = this.#counter(use);
    return {
      remaining: Math.max(0, use.limit - counter.claimed + counter.left),
      resetMs: Math.max(0, counter.windowEnd - this.#options.now()),
    };
  }

  #counter({ subject, quota, seconds, limit }: Omit<QuotaUse, 'count'>): Counter {
    const key = `${quota} ${subject}`;
    const windowMs = seconds * 1_000;
    const windowStart = Math.floor(this.#options.now() / windowMs) * windowMs;
    const known = this.#counters.get(key);
    if (known?.windowStart === windowStart) {
      if (known.limit !== limit) changeLimit(known, limit);
      return known;
    }
    const fresh: Counter = {
      subject,
      quota,
      windowStart,
      windowEnd: windowStart + windowMs,
      limit,
      left: 0,
      surplus: 0,
      claimed: 0,
      lease: known?.lease ?? 0,
      claimedAt: known?.claimedAt ?? Number.NEGATIVE_INFINITY,
      exhaustedAt: Number.NEGATIVE_INFINITY,
      claiming: undefined,
    };
    this.#counters.set(key, fresh);
    return fresh;
  }

  #claim(uses: readonly QuotaUse[]): Promise<void> {
    const counters = uses.map((use) => this.#counter(use));
    const claims = uses.map((use, at) => claimOf(use, counters[at]));
    const claiming = this.#return(counters)
      .then(() => claimUses(this.#options.kysely, claims))
      .then((granted) => {
        for (const [at, counter] of counters.entries()) {
          const { wanted = 0 } = claims[at] ?? {};
          const grant = granted.find(
            ({ subject, quota }) => subject === uses[at]?.subject && quota === uses[at].quota,
          );
          counter.left += grant?.granted ?? 0;
          counter.claimed = grant?.used ?? counter.claimed;
          if ((grant?.granted ?? 0) < wanted) counter.exhaustedAt = performance.now();
        }
        this.#returnLater();
      });
    return this.#busyWith(counters, claiming);
  }

  /** Lets other claims of the counters wait. */
  #busyWith(counters: readonly Counter[], work: Promise<void>): Promise<void> {
    const claiming = work.finally(() => {
      for (const counter of counters) counter.claiming = undefined;
    });
    for (const counter of counters) counter.claiming = claiming;
    return claiming;
  }

  /** Gives back what is not used, if the database answers. Uses are counted afterwards, too. */
  async close(): Promise<void> {
    clearTimeout(this.#returning);
    this.#returning = undefined;
    // A stop goes on without the database: what is held then counts until the window ends.
    await this.#giveBack(() => true).catch(() => undefined);
  }

  #returnLater(): void {
    this.#returning ??= setTimeout(() => {
      this.#returning = undefined;
      const since = performance.now() - RETURN_MS;
      void this.#giveBack(({ claimedAt }) => claimedAt <= since)
        // The surplus stays for the next claim, which reports what is wrong with the database.
        .catch(() => undefined)
        .then(() => {
          if (this.#held().length > 0) this.#returnLater();
        });
    }, RETURN_MS).unref();
  }

  #held(): Counter[] {
    return [...this.#counters.values()].filter(({ left }) => left > 0);
  }

  async #giveBack(isIdle: (counter: Counter) => boolean): Promise<void> {
    const idle = this.#held().filter((counter) => !counter.claiming && isIdle(counter));
    for (const counter of idle) takeBack(counter);
    await this.#busyWith(idle, this.#return(idle));
  }

  /** Gives the surplus back. */
  async #return(counters: readonly Counter[]): Promise<void> {
    for (const counter of counters) {
      const { surplus, subject, quota } = counter;
      if (surplus === 0) continue;
      counter.surplus = 0;
      const windowStart = new Date(counter.windowStart);
      try {
        await returnUses(this.#options.kysely, { subject, quota, windowStart, count: surplus });
        counter.claimed -= surplus;
      } catch (error) {
        counter.surplus += surplus;
        throw error;
      }
    }
  }

  /** Forgets the counters of windows that have ended. */
  #sweep(): void {
    const now = this.#options.now();
    if (now - this.#sweptAt < 60_000) return;
    this.#sweptAt = now;
    for (const [key, { windowEnd, claiming }] of this.#counters)
      if (windowEnd < now && !claiming) this.#counters.delete(key);
  }
}

/** Applies a changed limit: the claim under the old limit may exceed the new one. */
function changeLimit(counter: Counter, limit: number): void {
  counter.limit = limit;
  takeBack(counter);
}

function takeBack(counter: Counter): void {
  counter.surplus += counter.left;
  counter.left = 0;
  counter.exhaustedAt = Number.NEGATIVE_INFINITY;
}

const isExhausted = ({ exhaustedAt }: Counter) => performance.now() - exhaustedAt < REFUSED_MS;

/** Claims the missing uses and the lease. */
function claimOf({ subject, quota, limit, count }: QuotaUse, counter: Counter | undefined): Claim {
  if (!counter) throw new Error('a use has no counter');
  const now = performance.now();
  const isBusy = now - counter.claimedAt < LEASE_MS;
  counter.lease = isBusy
    ? Math.min(Math.max(counter.lease * 2, count), Math.floor(limit * MAX_LEASED_PART))
    : Math.floor(counter.lease / 2);
  counter.claimedAt = now;
  const missing = count - counter.left;
  return {
    subject,
    quota,
    limit,
    windowStart: new Date(counter.windowStart),
    wanted: missing + counter.lease,
  };
}

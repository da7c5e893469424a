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

/** The parts of a limit that a node may hold in advance: at least, and at most, which others may then miss. */
const MIN_LEASED_PART = 1 / 200;
const MAX_LEASED_PART = 1 / 50;
/** A node that claims again within this time claims twice as much. */
const LEASE_MS = 1_000;

/** The state of one quota of one subject in the current window, on this node. */
interface Counter {
  readonly windowStart: number;
  readonly windowEnd: number;
  limit: number;
  /** Claimed from the database and not used yet. */
  left: number;
  /** Claimed under another limit: the next claim gives it back. */
  surplus: number;
  /** The uses claimed by all nodes, as of the last claim. */
  claimed: number;
  /** The number of uses that the next claim takes in advance. */
  lease: number;
  claimedAt: number;
  /** True if the database has no uses left. */
  isExhausted: boolean;
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
 * query. All nodes together never allow more than the limit.
 */
export class SharedCounters {
  readonly #options: SharedCountersOptions;
  readonly #counters = new Map<string, Counter>();
  #sweptAt = 0;

  constructor(options: SharedCountersOptions) {
    this.#options = options;
  }

  /** Counts all of the uses, or none: then returns the first one without room. */
  async take(uses: readonly QuotaUse[]): Promise<QuotaUse | undefined> {
    this.#sweep();
    for (;;) {
      const short = uses.filter((use) => this.#counter(use).left < use.count);
      if (short.length === 0) break;
      const refused = short.find((use) => this.#counter(use).isExhausted);
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
      windowStart,
      windowEnd: windowStart + windowMs,
      limit,
      left: 0,
      surplus: 0,
      claimed: 0,
      lease: known?.lease ?? 0,
      claimedAt: known?.claimedAt ?? Number.NEGATIVE_INFINITY,
      isExhausted: false,
      claiming: undefined,
    };
    this.#counters.set(key, fresh);
    return fresh;
  }

  #claim(uses: readonly QuotaUse[]): Promise<void> {
    const counters = uses.map((use) => this.#counter(use));
    const claims = uses.map((use, at) => claimOf(use, counters[at]));
    const { kysely } = this.#options;
    const surplus = claims.filter(({ returned }) => returned > 0);
    const returned = surplus.length > 0 ? returnUses(kysely, surplus) : Promise.resolve();
    const claiming = returned
      .then(() => claimUses(kysely, claims))
      .then((granted) => {
        for (const [at, counter] of counters.entries()) {
          const { wanted = 0 } = claims[at] ?? {};
          const grant = granted.find(
            ({ subject, quota }) => subject === uses[at]?.subject && quota === uses[at].quota,
          );
          counter.left += grant?.granted ?? 0;
          counter.claimed = grant?.used ?? counter.claimed;
          counter.isExhausted = (grant?.granted ?? 0) < wanted;
        }
      })
      .finally(() => {
        for (const counter of counters) counter.claiming = undefined;
      });
    for (const counter of counters) counter.claiming = claiming;
    return claiming;
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
  counter.surplus += counter.left;
  counter.left = 0;
  counter.isExhausted = false;
}

/** Claims the missing uses and the lease. */
function claimOf({ subject, quota, limit, count }: QuotaUse, counter: Counter | undefined): Claim {
  if (!counter) throw new Error('a use has no counter');
  const now = performance.now();
  const isBusy = now - counter.claimedAt < LEASE_MS;
  counter.lease = isBusy
    ? Math.min(Math.max(counter.lease * 2, count), Math.floor(limit * MAX_LEASED_PART))
    : Math.max(Math.floor(counter.lease / 2), Math.floor(limit * MIN_LEASED_PART));
  counter.claimedAt = now;
  const returned = counter.surplus;
  counter.surplus = 0;
  const missing = count - counter.left;
  return {
    subject,
    quota,
    limit,
    windowStart: new Date(counter.windowStart),
    wanted: missing + counter.lease,
    returned,
  };
}

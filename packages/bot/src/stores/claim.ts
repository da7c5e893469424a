import { randomUUID } from 'node:crypto';

import { type Clock, sleep } from '../clock.ts';
import type { JsonValue, Store } from './store.ts';
import { STORE_RETRY_MS, untilStored } from './until-stored.ts';

/** A claim that is not renewed for this long may be taken over, in milliseconds. */
export const LEASE_MS = 15_000;
const RENEW_MS = 5000;

/** Whether several processes can use a store. */
export const isShared = ({ singleProcess }: Pick<Store, 'singleProcess'>): boolean =>
  singleProcess !== true;

/**
 * How long a claim is valid, in milliseconds. In a store for one process nobody else can take a value
 * over; a claim that the process finds there at its start is of a run that has died.
 */
const leaseOf = (store: Store) => (isShared(store) ? LEASE_MS : 0);

/** A value that one process at a time may work on, as it is stored. */
export interface ClaimRecord<Value extends JsonValue> {
  /** Identifies the claim; null if nobody has claimed the value. */
  readonly holder: string | null;
  readonly value: Value;
}

export interface FoundRecord<Value extends JsonValue> extends ClaimRecord<Value> {
  readonly version: string;
}

export interface ClaimPlace {
  readonly store: Store;
  readonly clock: Clock;
  readonly key: string;
  /** The value expires after this time without a write, in milliseconds. Undefined: it does not. */
  readonly ttlMs?: number;
}

/** Reads a record; undefined if the key has none. */
export async function readRecord<Value extends JsonValue>(
  store: Store,
  key: string,
): Promise<FoundRecord<Value> | undefined> {
  const found = await store.get(key);
  if (found === undefined || found.value === null) return undefined;
  return { ...(found.value as unknown as ClaimRecord<Value>), version: found.version };
}

/**
 * Claims the value of a key, if its version is still `expected`; null: if the key has no value.
 * Undefined if another process was faster.
 */
export async function takeClaim<Value extends JsonValue>(
  place: ClaimPlace,
  value: Value,
  expected: string | null,
): Promise<Claim<Value> | undefined> {
  const holder = randomUUID();
  const since = place.clock.now();
  const options = { expected, ...expiryOf(place) };
  const version = await place.store.set(place.key, { holder, value }, options);
  return version === undefined ? undefined : new Claim(place, { holder, value, version }, since);
}

/**
 * Watches the claim of another process. Each renewal changes the version, so a version that stays the
 * same for LEASE_MS belongs to a process that has died: no clocks are compared.
 */
export class ClaimWatch {
  readonly #clock: Clock;
  readonly #leaseMs: number;
  #version: string | undefined;
  #since = 0;

  constructor({ store, clock }: Pick<ClaimPlace, 'store' | 'clock'>) {
    this.#clock = clock;
    this.#leaseMs = leaseOf(store);
  }

  /** Whether the holder of a record has died: it has not renewed its claim for LEASE_MS. */
  isAbandoned({ version }: { readonly version: string }): boolean {
    const now = this.#clock.now();
    if (version !== this.#version) {
      this.#version = version;
      this.#since = now;
    }
    return now - this.#since >= this.#leaseMs;
  }

  /** Begins anew: a store that this process cannot reach may also refuse the renewals. */
  reset(): void {
    this.#version = undefined;
  }
}

/** A claim of this process on a stored value. In a store that is shared, it is renewed every 5 s until its end. */
export class Claim<Value extends JsonValue> {
  /** The value as it was claimed. */
  readonly value: Value;
  /** Called once if another process takes the value over. */
  onLost: (() => void) | undefined;
  readonly #place: ClaimPlace;
  readonly #holder: string;
  #current: Value;
  #version: string;
  #validUntil: number;
  #state: 'held' | 'lost' | 'ended' = 'held';
  #stopTimer: () => void = () => {};
  /** The writes run one after the other: each expects the version of the one before. */
  #writing: Promise<unknown> = Promise.resolve();

  constructor(place: ClaimPlace, { holder, value, version }: FoundRecord<Value>, since: number) {
    this.#place = place;
    this.#holder = holder ?? '';
    this.value = value;
    this.#current = value;
    this.#version = version;
    this.#validUntil = since + LEASE_MS;
    if (isShared(place.store)) this.#renewIn(RENEW_MS);
  }

  /** Whether no other process can have taken the value over. Asks the store only if it must. */
  async isHeld(): Promise<boolean> {
    const { store, clock } = this.#place;
    while (isShared(store) && this.#state === 'held' && clock.now() >= this.#validUntil) {
      await this.write(this.#current).catch(() => sleep(clock, STORE_RETRY_MS));
    }
    return this.#state !== 'lost';
  }

  /** Changes the value; false if another process has taken it over. Rejects if the store fails. */
  write(value: Value): Promise<boolean> {
    this.#current = value;
    return this.#inTurn(() => this.#set({ holder: this.#holder, value }));
  }

  /**
   * Ends the claim with a last value; false if another process has taken the value over. Repeats the
   * write while the store fails, for ten minutes.
   */
  end(value: Value, { ttlMs }: { readonly ttlMs?: number } = {}): Promise<boolean> {
    return this.#finish(() => this.#set({ holder: null, value }, ttlMs));
  }

  /** Ends the claim and removes the value. Repeats the call while the store fails, for ten minutes. */
  async remove(): Promise<void> {
    await this.#finish(() => this.#place.store.delete(this.#place.key));
  }

  /** Stops renewing the claim: after LEASE_MS another process can take the value over. */
  abandon(): void {
    this.#stopTimer();
    if (this.#state === 'held') this.#state = 'ended';
  }

  async #finish<T>(call: () => Promise<T>): Promise<T> {
    this.#stopTimer();
    const result = await untilStored(this.#place.clock, () => this.#inTurn(call));
    if (this.#state === 'held') this.#state = 'ended';
    return result;
  }

  #renewIn(ms: number): void {
    this.#stopTimer = this.#place.clock.after(ms, () => {
      void this.#inTurn(async () => {
        if (this.#state !== 'held') return;
        await this.#set({ holder: this.#holder, value: this.#current });
      }).then(
        () => this.#state === 'held' && this.#renewIn(RENEW_MS),
        () => this.#state === 'held' && this.#renewIn(STORE_RETRY_MS),
      );
    });
  }

  #inTurn<T>(write: () => Promise<T>): Promise<T> {
    const done = this.#writing.then(write);
    this.#writing = done.catch(() => {});
    return done;
  }

  /** False if another process has taken the value over. */
  async #set(record: ClaimRecord<Value>, ttlMs?: number): Promise<boolean> {
    const { store, key, clock } = this.#place;
    const options = expiryOf(ttlMs === undefined ? this.#place : { ttlMs });
    for (;;) {
      if (this.#state === 'lost') return false;
      const since = clock.now();
      const expected = this.#version;
      const version = await store.set(key, { ...record }, { ...options, expected });
      if (version !== undefined) {
        this.#version = version;
        this.#validUntil = since + LEASE_MS;
        return true;
      }
      // A write whose answer was lost may have changed the version.
      const found = await readRecord<Value>(store, key);
      if (found?.holder !== this.#holder) return this.#lose(found, record);
      this.#version = found.version;
    }
  }

  #lose(found: FoundRecord<Value> | undefined, record: ClaimRecord<Value>): boolean {
    // The last value of this claim, written by a call whose answer was lost.
    const isEnd = record.holder === null && found?.holder === null;
    if (isEnd) return true;
    this.#state = 'lost';
    this.#stopTimer();
    this.onLost?.();
    return false;
  }
}

const expiryOf = ({ ttlMs }: { readonly ttlMs?: number }) => (ttlMs === undefined ? {} : { ttlMs });

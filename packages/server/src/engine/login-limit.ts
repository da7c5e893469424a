import { createHash } from 'node:crypto';

import { limitedAddress } from '@bellhop/http';
import { ApiError, foldCase } from '@bellhop/protocol';

import type { User } from './caller.ts';

interface Rule {
  readonly count: number;
  readonly seconds: number;
}
export interface LoginAttempt {
  /** The name that the client sends, with the realm; of any length. */
  readonly name: string;
  /** The client's address, as rate limits count it. */
  readonly address: string;
}
/** The attempt of a client at this address to log in as the person with this e-mail address. */
export const loginAttempt = (
  { realm_id, delivery_email }: Pick<User, 'realm_id' | 'delivery_email'>,
  ip: string,
): LoginAttempt => ({
  name: `${realm_id} ${foldCase(delivery_email)}`,
  address: limitedAddress(ip),
});

/** Limits wrong passwords, against guessing. */
export interface LoginLimit {
  /**
   * Checks the password of an attempt. The attempt counts before `isRight` runs, and no longer once
   * the password was right or the check failed. Throws RATE_LIMIT_HIT.
   */
  readonly check: (attempt: LoginAttempt, isRight: () => Promise<boolean>) => Promise<boolean>;
  /** Forgets the wrong passwords of somebody who has shown otherwise who they are. */
  readonly forgive: (attempt: LoginAttempt) => void;
}

const MAX_ENTRIES = 100_000;
/**
 * All addresses from which a name never logged in share this many times the limit of one address.
 */
const STRANGERS = 20;

/**
 * Counts wrong passwords by name and address in this process, and those of strangers by name: a
 * stranger is an address from which the name has not logged in since the process started. See
 * docs/decisions/0036-login-limits.md.
 */
export function loginLimit(rules: readonly Rule[], clock: () => number = Date.now): LoginLimit {
  const byAddress = rules.map((rule) => new FailureCounter(rule, clock));
  const byStrangers = rules.map(
    ({ count, seconds }) => new FailureCounter({ count: count * STRANGERS, seconds }, clock),
  );
  const familiar = new Set<string>();
  const pairOf = ({ name, address }: LoginAttempt) => digest(`${address} ${name}`);
  const forgive: LoginLimit['forgive'] = (attempt) => {
    const pair = pairOf(attempt);
    for (const counter of byAddress) counter.clear(pair);
    familiar.delete(pair);
    familiar.add(pair);
    dropOldest(familiar);
  };
  return {
    forgive,
    check: async (attempt, isRight) => {
      const user = digest(attempt.name);
      const pair = pairOf(attempt);
      const counters = [
        ...byAddress.map((counter) => ({ counter, key: pair })),
        ...(familiar.has(pair) ? [] : byStrangers.map((counter) => ({ counter, key: user }))),
      ];
      for (const { counter, key } of counters) counter.requireRoom(key);
      for (const { counter, key } of counters) counter.add(key, 1);
      const uncount = () => {
        for (const { counter, key } of counters) counter.add(key, -1);
      };
      const matches = await isRight().catch((error: unknown) => {
        uncount();
        throw error;
      });
      if (!matches) return false;
      uncount();
      forgive(attempt);
      return true;
    },
  };
}

/** A name may be long; its digest is short. */
const digest = (text: string) => createHash('sha256').update(text).digest('base64');

function dropOldest(keys: Set<string> | Map<string, unknown>): void {
  if (keys.size <= MAX_ENTRIES) return;
  for (const oldest of keys.keys()) {
    keys.delete(oldest);
    return;
  }
}

interface Failures {
  count: number;
  readonly until: number;
}

/** Counts failures by key within windows of a rule. */
class FailureCounter {
  readonly #rule: Rule;
  readonly #clock: () => number;
  readonly #byKey = new Map<string, Failures>();

  constructor(rule: Rule, clock: () => number) {
    this.#rule = rule;
    this.#clock = clock;
  }

  requireRoom(key: string): void {
    const failures = this.#current(key);
    if (!failures || failures.count < this.#rule.count) return;
    throw new ApiError('RATE_LIMIT_HIT', {
      message: 'You have failed to sign in too often; wait before you try again.',
      data: { 'retry-after': Math.ceil((failures.until - this.#clock()) / 1000) },
    });
  }

  add(key: string, count: number): void {
    const failures = this.#current(key);
    if (failures) failures.count = Math.max(0, failures.count + count);
    else if (count > 0) {
      this.#byKey.delete(key);
      this.#byKey.set(key, { count, until: this.#clock() + this.#rule.seconds * 1000 });
      dropOldest(this.#byKey);
    }
  }

  clear(key: string): void {
    this.#byKey.delete(key);
  }

  #current(key: string): Failures | undefined {
    const failures = this.#byKey.get(key);
    return failures && failures.until > this.#clock() ? failures : undefined;
  }
}

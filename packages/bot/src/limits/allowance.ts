import { misconfigured } from '../bot-error.ts';

/** An amount in a period, in milliseconds. */
export interface Rate {
  readonly amount: number;
  readonly perMs: number;
}

/** How many keys are remembered; the one used longest ago is forgotten first. */
const MAX_KEYS = 10_000;

interface Window {
  /** When the window began, in milliseconds since 1970. */
  readonly since: number;
  spent: number;
  /** Whether the reply about the spent rate was sent. */
  told: boolean;
}

/**
 * The unspent part of a rate, for each key. A window begins with the first use after the end of the
 * last one.
 */
export class Allowance {
  readonly #rate: Rate;
  readonly #windows = new Map<string, Window>();

  /** Throws BotError `config_invalid` if the amount or the time is not above 0. */
  constructor(rate: Rate) {
    if (!(rate.amount > 0 && rate.perMs > 0))
      throw misconfigured('A limit needs an `amount` and a time `perMs` above 0.');
    this.#rate = rate;
  }

  /** Milliseconds until something is left again; 0 if there is something now. */
  waitMs(key: string, now: number): number {
    const { since, spent } = this.#window(key, now);
    return spent < this.#rate.amount ? 0 : since + this.#rate.perMs - now;
  }

  spend(key: string, amount: number, now: number): void {
    this.#window(key, now).spent += amount;
  }

  /** True at the first call in each window. */
  tellsFirst(key: string, now: number): boolean {
    const window = this.#window(key, now);
    const isFirst = !window.told;
    window.told = true;
    return isFirst;
  }

  #window(key: string, now: number): Window {
    const known = this.#windows.get(key);
    const isOver = known === undefined || now - known.since >= this.#rate.perMs;
    const window = isOver ? { since: now, spent: 0, told: false } : known;
    this.#windows.delete(key);
    this.#windows.set(key, window);
    const [oldest] = this.#windows.keys();
    if (this.#windows.size > MAX_KEYS && oldest !== undefined) this.#windows.delete(oldest);
    return window;
  }
}

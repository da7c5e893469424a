import type { Clock } from '../clock.ts';
import type { Store } from '../stores/store.ts';
import { untilStored } from '../stores/until-stored.ts';

/** Servers repeat a delivery for minutes. */
const KEPT_MS = 60 * 60 * 1000;
const KEPT_COUNT = 500;

/**
 * The newest deliveries with late replies that have ended, in a store for one process: after a crash, a
 * server may repeat one that it got no answer to. They are one entry of the store.
 */
export class EndedDeliveries {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #key: string;
  /** Undefined until the store was read. */
  #ended: readonly number[] | undefined;
  #noted: Promise<void> = Promise.resolve();

  constructor(store: Store, clock: Clock, botEmail: string) {
    this.#store = store;
    this.#clock = clock;
    this.#key = `ended:${botEmail.toLowerCase()}`;
  }

  async list(): Promise<readonly number[]> {
    return (this.#ended ??= numbersIn((await this.#store.get(this.#key))?.value));
  }

  /** Notes a delivery, after those before. Repeats the call while the store fails, for ten minutes. */
  note(delivery: number): Promise<void> {
    const write = async () => {
      const others = (await this.list()).filter((one) => one !== delivery);
      this.#ended = [...others, delivery].slice(-KEPT_COUNT);
      await this.#store.set(this.#key, [...this.#ended], { ttlMs: KEPT_MS });
    };
    const noted = this.#noted.then(() => untilStored(this.#clock, write));
    this.#noted = noted.catch(() => {});
    return noted;
  }
}

const numbersIn = (value: unknown): readonly number[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'number') : [];

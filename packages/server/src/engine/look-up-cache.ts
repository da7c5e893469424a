import type { LookUp } from './address-limit.ts';

interface Entry<T> {
  readonly value: Promise<T | undefined>;
  until: number;
}
interface CacheOptions {
  /** How long an entry may be out of date. */
  readonly keepMs: number;
  /** The oldest entries beyond this number are dropped. */
  readonly maxEntries: number;
  readonly clock: () => number;
}
interface Search<T> {
  readonly find: () => Promise<T | undefined>;
  /** Runs `find` for a name that was never found, or not recently. */
  readonly lookUp: LookUp;
}

/**
 * Caches found values by name. Names that do not exist take no room, so that invented ones evict no
 * entry. An outdated entry is read again, but still proves that the name exists.
 */
export class LookUpCache<T> {
  readonly #entries = new Map<string, Entry<T>>();
  readonly #options: CacheOptions;
  #clearings = 0;

  constructor(options: CacheOptions) {
    this.#options = options;
  }

  async get(name: string, { find, lookUp }: Search<T>): Promise<T | undefined> {
    const fresh = this.#fresh(name);
    if (fresh) return fresh;
    if (this.#entries.has(name)) return this.#keep(name, find(), this.#end());
    return lookUp(async () => {
      // Another request may have found the value while this one waited.
      const known = this.#fresh(name);
      if (known) return known;
      const until = this.#end();
      const clearings = this.#clearings;
      const found = await find();
      if (found !== undefined)
        void this.#keep(name, Promise.resolve(found), clearings === this.#clearings ? until : 0);
      return found;
    });
  }

  /** Marks all entries as outdated. */
  clear(): void {
    this.#clearings++;
    for (const entry of this.#entries.values()) entry.until = 0;
  }

  #fresh(name: string): Promise<T | undefined> | undefined {
    const entry = this.#entries.get(name);
    return entry && entry.until > this.#options.clock() ? entry.value : undefined;
  }

  #end(): number {
    return this.#options.clock() + this.#options.keepMs;
  }

  #keep(name: string, value: Promise<T | undefined>, until: number): Promise<T | undefined> {
    const entry = { value, until };
    this.#entries.delete(name);
    this.#entries.set(name, entry);
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#options.maxEntries) break;
      this.#entries.delete(oldest);
    }
    const drop = () => {
      if (this.#entries.get(name) === entry) this.#entries.delete(name);
    };
    value.then((found) => found === undefined && drop(), drop);
    return value;
  }
}

/**
 * The newest entries of a map: at least `size` of them, or `weight` of their weights, and at most twice as
 * many. Two maps, of which the older one goes at once: a map whose oldest entries are deleted one by one
 * makes the garbage collector copy the others over and over.
 */
export class RecentEntries<V> {
  readonly #limits: { readonly size: number; readonly weight: number };
  #newer = new Map<number, V>();
  #older = new Map<number, V>();
  /** Of the newer ones. */
  #weight = 0;

  constructor(limits: { size: number; weight: number }) {
    this.#limits = limits;
  }

  get(key: number): V | undefined {
    return this.#newer.get(key) ?? this.#older.get(key);
  }

  set(key: number, value: V, weight: number): void {
    if (this.#newer.size >= this.#limits.size || this.#weight >= this.#limits.weight) {
      this.#older = this.#newer;
      this.#newer = new Map();
      this.#weight = 0;
    }
    this.#newer.set(key, value);
    this.#weight += weight;
  }
}

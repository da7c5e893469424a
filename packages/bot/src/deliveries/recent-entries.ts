/**
 * The newest entries of a map, in two generations: when the young one is full it becomes the old
 * one, and the old one goes. Holds between `size` and twice as many entries, and between `weight`
 * and twice that much of their weights.
 */
export class RecentEntries<V> {
  #young = new Map<number, V>();
  #old = new Map<number, V>();
  #weight = 0;
  readonly #limits: { readonly size: number; readonly weight: number };

  constructor(limits: { size: number; weight: number }) {
    this.#limits = limits;
  }

  get(key: number): V | undefined {
    return this.#young.get(key) ?? this.#old.get(key);
  }

  /** True if this begins a generation: entries of the one before the last have gone. */
  set(key: number, value: V, weight: number): boolean {
    const isFull = this.#young.size >= this.#limits.size || this.#weight >= this.#limits.weight;
    if (isFull) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#weight = 0;
    }
    this.#young.set(key, value);
    this.#weight += weight;
    return isFull;
  }
}

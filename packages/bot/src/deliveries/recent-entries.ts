/**
 * The newest entries of a map: at least `size` of them, or `weight` of their weights. The oldest are
 * dropped when there are twice as many.
 */
export class RecentEntries<V> {
  readonly #entries = new Map<number, { readonly value: V; readonly weight: number }>();
  readonly #limits: { readonly size: number; readonly weight: number };
  #weight = 0;

  constructor(limits: { size: number; weight: number }) {
    this.#limits = limits;
  }

  get(key: number): V | undefined {
    return this.#entries.get(key)?.value;
  }

  set(key: number, value: V, weight: number): void {
    this.#delete(key);
    this.#entries.set(key, { value, weight });
    this.#weight += weight;
    const { size, weight: most } = this.#limits;
    if (this.#entries.size <= 2 * size && this.#weight <= 2 * most) return;
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= size && this.#weight <= most) return;
      this.#delete(oldest);
    }
  }

  #delete(key: number): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#weight -= entry.weight;
  }
}

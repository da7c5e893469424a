import { SharedRead } from '../storage/shared-read.ts';
import { type HealthKey, keyText } from './queries.ts';

/** The rows of a table of states that this node has read, at most a second ago, or written since. */
export class KnownRows<Row extends HealthKey> {
  readonly #query: () => Promise<readonly Row[]>;
  /** By `keyText`. */
  #rows = new Map<string, Row>();
  /** Keys written since the last read began, whose result may be older. */
  readonly #written = new Set<string>();
  readonly #read = new SharedRead(() => this.#readRows());

  constructor(query: () => Promise<readonly Row[]>) {
    this.#query = query;
  }

  /** Reads the rows if the last read is older than a second. */
  fresh(): Promise<void> {
    return this.#read.fresh();
  }

  /** Reads the rows by a query that begins after the call. */
  again(): Promise<void> {
    return this.#read.again();
  }

  /** Makes the next `fresh` read. */
  outdate(): void {
    this.#read.outdate();
  }

  get(key: HealthKey): Row | undefined {
    // Nearly always nothing is wrong, and each notification asks.
    return this.#rows.size === 0 ? undefined : this.#rows.get(keyText(key));
  }

  all(): readonly Row[] {
    return [...this.#rows.values()];
  }

  /** Takes over what this node has written; undefined if the row is gone. */
  keep(key: HealthKey, row: Row | undefined): void {
    const text = keyText(key);
    this.#written.add(text);
    if (row) this.#rows.set(text, row);
    else this.#rows.delete(text);
  }

  async #readRows(): Promise<void> {
    this.#written.clear();
    const found = await this.#query();
    const rows = new Map(found.map((row) => [keyText(row), row]));
    for (const text of this.#written) {
      const row = this.#rows.get(text);
      if (row) rows.set(text, row);
      else rows.delete(text);
    }
    this.#rows = rows;
  }
}

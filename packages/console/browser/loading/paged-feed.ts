import { type ReadonlySignal, signal } from '@preact/signals';

/** Where the pages beside the fetched rows are; null: there are none. */
export interface Ends<Place> {
  readonly before: Place | null;
  readonly after: Place | null;
}
export interface Page<T, Place> extends Ends<Place> {
  readonly rows: readonly T[];
}

/** A long list of which pages are fetched, and which changes while it is shown. */
export interface PagedFeed<T, Place, Change> {
  readonly rows: ReadonlySignal<readonly T[]>;
  /** Undefined until the first page. */
  readonly ends: ReadonlySignal<Ends<Place> | undefined>;
  readonly isLoading: ReadonlySignal<boolean>;
  readonly error: ReadonlySignal<unknown>;
  /** Replaces all rows by the page at a place. An answer that is awaited is dropped. */
  readonly open: (place: Place) => Promise<void>;
  /** Adds the page before the rows; does nothing if there is none, or while another is fetched. */
  readonly loadBefore: () => Promise<void>;
  readonly loadAfter: () => Promise<void>;
  readonly change: (change: Change) => void;
  /** Fetches again what could not be fetched. */
  readonly retry: () => void;
  readonly stop: () => void;
}

interface FeedOptions<T, Place, Change> {
  readonly fetch: (place: Place, signal: AbortSignal) => Promise<Page<T, Place>>;
  /** The rows after a change, which has the same result if the rows have it already. */
  readonly apply: (rows: readonly T[], change: Change, ends: Ends<Place>) => readonly T[];
  /** The most rows that changes leave: the last ones go, and are fetched again when they are needed. */
  readonly max?: { readonly rows: number; readonly after: (last: T) => Place };
}

/** A feed without rows until `open`. */
export function pagedFeed<T, Place, Change>(
  options: FeedOptions<T, Place, Change>,
): PagedFeed<T, Place, Change> {
  const { fetch, apply, max } = options;
  const rows = signal<readonly T[]>([]);
  const ends = signal<Ends<Place> | undefined>(undefined);
  const isLoading = signal(false);
  const error = signal<unknown>(undefined);
  let stopping = new AbortController();
  let failed = async () => {};
  /** Came during a fetch, whose answer may be from before them. */
  let early: Change[] = [];

  const change = (one: Change) => {
    if (isLoading.peek()) early.push(one);
    const known = ends.peek();
    if (!known) return;
    const changed = apply(rows.peek(), one, known);
    const last = max && changed[max.rows] !== undefined ? changed[max.rows - 1] : undefined;
    // The page that is being fetched follows the last row.
    if (!max || last === undefined || isLoading.peek()) rows.value = changed;
    else {
      rows.value = changed.slice(0, max.rows);
      ends.value = { ...known, after: max.after(last) };
    }
  };
  const load = async (place: Place, merge: (page: Page<T, Place>) => Page<T, Place>) => {
    stopping.abort();
    stopping = new AbortController();
    const { signal: stopped } = stopping;
    isLoading.value = true;
    error.value = undefined;
    failed = () => load(place, merge);
    try {
      const page = await fetch(place, stopped);
      if (stopped.aborted) return;
      const { before, after, rows: merged } = merge(page);
      rows.value = merged;
      ends.value = { before, after };
    } catch (problem) {
      if (stopped.aborted) return;
      error.value = problem;
    }
    isLoading.value = false;
    const missed = early;
    early = [];
    missed.forEach(change);
  };
  const loadBeside = async (side: keyof Ends<Place>) => {
    const known = ends.peek();
    const place = known?.[side] ?? null;
    if (place === null || isLoading.peek()) return;
    await load(place, (page) => {
      const all = rows.peek();
      const { after = null, before = null } = ends.peek() ?? {};
      return side === 'before'
        ? { rows: [...page.rows, ...all], before: page.before, after }
        : { rows: [...all, ...page.rows], before, after: page.after };
    });
  };
  return {
    rows,
    ends,
    isLoading,
    error,
    open: (place) => load(place, (page) => page),
    loadBefore: () => loadBeside('before'),
    loadAfter: () => loadBeside('after'),
    change,
    retry: () => void failed(),
    stop: () => stopping.abort(),
  };
}

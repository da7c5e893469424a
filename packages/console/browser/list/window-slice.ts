/** The rows of a list that are on the page, by the key of the first one and their number. */
export interface Slice {
  readonly firstKey: string;
  readonly size: number;
}
export interface Range {
  readonly from: number;
  readonly to: number;
}

const MAX_ROWS = 200;
const START_ROWS = 150;
const STEP = 25;

interface Aim {
  readonly target: string | undefined;
  readonly start: 'top' | 'end';
  /** Whether the edge at which the list begins is in sight and stays so. */
  readonly follow: boolean;
}

/** The range to show. It keeps its rows when others are added before or after them. */
export function sliceAround(
  keys: readonly string[],
  slice: Slice | undefined,
  { target, start, follow }: Aim,
): Range {
  const count = keys.length;
  const at = slice ? keys.indexOf(slice.firstKey) : -1;
  const isLeft = slice && (start === 'end' ? at + slice.size < count : at > 0);
  if (slice && at !== -1 && !(follow && isLeft))
    return { from: at, to: Math.min(count, at + slice.size) };
  const aimed = target === undefined || slice ? -1 : keys.indexOf(target);
  if (aimed !== -1) {
    const from = Math.max(0, Math.min(aimed - START_ROWS / 2, count - START_ROWS));
    return { from, to: Math.min(count, from + START_ROWS) };
  }
  return start === 'end'
    ? { from: Math.max(0, count - START_ROWS), to: count }
    : { from: 0, to: Math.min(count, START_ROWS) };
}

/** The slice one step towards the start (-1) or the end (1). */
export function shifted(keys: readonly string[], { from, to }: Range, direction: -1 | 1): Slice {
  const start = direction === -1 ? Math.max(0, from - STEP) : from;
  const end = direction === 1 ? Math.min(keys.length, to + STEP) : to;
  const first = direction === 1 ? Math.max(start, end - MAX_ROWS) : start;
  const size = Math.min(MAX_ROWS, end - first);
  return { firstKey: keys[first] ?? '', size };
}

/** The first row in sight and where it is. */
export function firstVisible(list: HTMLElement): { key: string; top: number } | undefined {
  const { top } = list.getBoundingClientRect();
  for (const row of list.children) {
    const box = row.getBoundingClientRect();
    const key = (row as HTMLElement).dataset['key'];
    if (box.bottom > top && key !== undefined) return { key, top: box.top };
  }
  return undefined;
}

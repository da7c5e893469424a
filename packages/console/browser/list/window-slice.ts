/** The rows of a list that are on the page, by the key of the first one and their number. */
export interface Slice {
  readonly firstKey: string;
  readonly size: number;
}
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** More than a screen of most rows; the others come frame by frame. */
const START_ROWS = 50;

interface Aim {
  readonly target: string | undefined;
  readonly start: 'top' | 'end';
  /** Whether the edge at which the list begins is in sight and stays so. */
  readonly follow: boolean;
  /** The first row in sight: the range has it when the first row of the slice has been removed. */
  readonly seen: string | undefined;
}

/** The range to show. It keeps its rows when others are added before or after them. */
export function sliceAround(
  keys: readonly string[],
  slice: Slice | undefined,
  { target, start, follow, seen }: Aim,
): Range {
  const count = keys.length;
  const at = slice ? keys.indexOf(slice.firstKey) : -1;
  const isLeft = slice && (start === 'end' ? at + slice.size < count : at > 0);
  if (slice && at !== -1 && !(follow && isLeft))
    return { from: at, to: Math.min(count, at + slice.size) };
  const size = Math.max(START_ROWS, slice?.size ?? 0);
  const aimed = keys.indexOf((slice ? !follow && seen : target) || '');
  const edge = start === 'end' ? count - size : 0;
  const first = aimed === -1 ? edge : Math.floor(aimed - size / 2);
  const from = Math.max(0, Math.min(first, count - size));
  return { from, to: Math.min(count, from + size) };
}

interface Shift {
  /** Towards the start (-1) or the end (1). */
  readonly direction: -1 | 1;
  /** How many rows enter there. */
  readonly rows: number;
  /** How many rows leave at the other end. */
  readonly far: number;
}

export function shifted(
  keys: readonly string[],
  { from, to }: Range,
  { direction, rows, far }: Shift,
): Slice {
  const [first, end] =
    direction === -1
      ? [Math.max(0, from - rows), to - far]
      : [from + far, Math.min(keys.length, to + rows)];
  return { firstKey: keys[first] ?? '', size: end - first };
}

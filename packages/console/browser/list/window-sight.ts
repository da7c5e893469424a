/** The part of a list that is in sight. */
interface Sight {
  /** The keys of the first and the last row in sight. */
  readonly first: string;
  readonly last: string;
  /** Pixels from the top of the list to the top of the first row in sight; negative if it is cut. */
  readonly top: number;
}

/** Undefined if no row is in sight, for example because the list is hidden. */
export function sightOf(list: HTMLElement): Sight | undefined {
  const { top, bottom } = list.getBoundingClientRect();
  const rows = rowsOf(list);
  const first = rows[firstBelow(list, top)];
  const last = rows[firstBelow(list, bottom - 1)] ?? rows.at(-1);
  const [one, other] = [first?.dataset['key'], last?.dataset['key']];
  if (!first || one === undefined || other === undefined || top === bottom) return undefined;
  return { first: one, last: other, top: topOf(first) - top };
}

/** Scrolls so that a row is at this distance from the top of the list. */
export function keepAt(list: HTMLElement, { first, top }: Sight): void {
  const row = rowOf(list, first);
  const by = row ? topOf(row) - topOf(list) - top : 0;
  if (by !== 0) list.scrollTop += by;
}

/** The number of rows of a list that end more than this many pixels above or below its sight. */
export function farRows(list: HTMLElement, px: number): { above: number; below: number } {
  const { top, bottom } = list.getBoundingClientRect();
  const below = list.children.length - 1 - firstBelow(list, bottom + px);
  return { above: firstBelow(list, top - px), below: Math.max(0, below) };
}

export const rowOf = (list: HTMLElement, key: string): HTMLElement | undefined =>
  rowsOf(list).find(({ dataset }) => dataset['key'] === key);

const rowsOf = (list: HTMLElement) => [...list.children] as HTMLElement[];
const topOf = (element: Element) => element.getBoundingClientRect().top;

/** The place of the first row that ends below a height of the page. */
function firstBelow({ children }: HTMLElement, y: number): number {
  let [from, to] = [0, children.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((children[middle]?.getBoundingClientRect().bottom ?? y) > y) to = middle;
    else from = middle + 1;
  }
  return from;
}

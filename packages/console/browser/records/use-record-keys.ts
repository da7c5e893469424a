import { focusedRow, focusRow, rowKeys } from '../list/row-keys.ts';
import { type KeyBinding, useKeys } from '../navigation/keys.ts';
import { setQuery } from '../navigation/location.ts';
import type { RecordList } from './record-list.ts';

/** The keys of a list. `more` are those of its kind, for the row that has the focus or is open. */
export function useRecordKeys<T>(
  list: RecordList<T>,
  rows: readonly T[],
  more: (current: () => T | undefined) => readonly KeyBinding[],
): void {
  const { label, keyOf, isFailed, opened, marks } = list;
  const currentKey = () => focusedRow() ?? opened.key();
  const place = () => rows.findIndex((row) => keyOf(row) === currentKey());
  const goToFailed = (fails: (row: T) => boolean) => {
    const next = rows.slice(place() + 1).find(fails) ?? rows.find(fails);
    if (next === undefined) return;
    setQuery({ ...opened.opens(next), compare: undefined });
    focusRow(keyOf(next));
  };
  useKeys(label, [
    ...rowKeys(opened.key),
    ...(isFailed ? [{ keys: 'n', label: 'Next failure', run: () => goToFailed(isFailed) }] : []),
    {
      keys: 'x',
      label: 'Mark for comparison',
      run: () => {
        const row = rows[place()];
        if (row !== undefined) marks.toggle(keyOf(row));
      },
    },
    {
      keys: 'd',
      label: 'Compare marked rows',
      run: () => {
        const marked = marks.keys.peek();
        if (marked.length === 2) setQuery({ compare: marked.join(',') });
      },
    },
    ...more(() => rows[place()]),
  ]);
}

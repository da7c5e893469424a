import { signal } from '@preact/signals';

import type { KeyBinding } from '../navigation/keys.ts';

/** The key of the row that has the focus. */
export const focusedRow = (): string | undefined =>
  document.activeElement?.closest<HTMLElement>('[data-row]')?.dataset['row'];

/** The row to focus as soon as a list has brought it to the page. */
export const sought = signal<string | undefined>(undefined);

/** Gives the focus to a row. A `LiveList` that has the row brings it to the page first. */
export function focusRow(key: string): void {
  const row = document.querySelector<HTMLElement>(`[data-row="${CSS.escape(key)}"]`);
  sought.value = row ? undefined : key;
  row?.focus();
  row?.scrollIntoView({ block: 'nearest' });
}

function step(by: 1 | -1, selected: string | undefined): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
  const from = focusedRow() ?? selected;
  const at = rows.findIndex((row) => row.dataset['row'] === from);
  const next = at === -1 ? firstInSight(rows) : rows[at + by];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}

function firstInSight(rows: readonly HTMLElement[]): HTMLElement | undefined {
  const top = rows[0]?.closest('.window-list')?.getBoundingClientRect().top ?? 0;
  return rows.find((row) => row.getBoundingClientRect().top >= top);
}

/** `j` and `k` move the focus among the rows of the page: from the focused one, else the selected one. */
export const rowKeys = (selected: () => string | undefined): readonly KeyBinding[] => [
  { keys: 'j', label: 'Next row', run: () => step(1, selected()) },
  { keys: 'k', label: 'Previous row', run: () => step(-1, selected()) },
];

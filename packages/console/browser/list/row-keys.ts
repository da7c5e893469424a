import type { KeyBinding } from '../navigation/keys.ts';
import { strings } from './strings.ts';

/** The key of the row that has the focus. */
export const focusedRow = (): string | undefined =>
  document.activeElement?.closest<HTMLElement>('[data-row]')?.dataset['row'];

/** Gives the focus to a row that is on the page. */
export function focusRow(key: string): void {
  const row = document.querySelector<HTMLElement>(`[data-row="${CSS.escape(key)}"]`);
  row?.focus();
  row?.scrollIntoView({ block: 'nearest' });
}

function step(by: 1 | -1, selected: string | undefined): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
  const from = focusedRow() ?? selected;
  const at = rows.findIndex((row) => row.dataset['row'] === from);
  const next = at === -1 ? rows[0] : rows[at + by];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}

/** `j` and `k` move the focus among the rows of the page: from the focused one, else the selected one. */
export const rowKeys = (selected: () => string | undefined): readonly KeyBinding[] => [
  { keys: 'j', label: strings.next, run: () => step(1, selected()) },
  { keys: 'k', label: strings.before, run: () => step(-1, selected()) },
];

import { focusRow } from '../list/row-keys.ts';
import type { KeyBinding } from '../navigation/keys.ts';
import { query, setQuery } from '../navigation/location.ts';
import type { Opened } from './record-list.ts';

/** The keys of the two rows that the address compares. */
export const comparedKeys = (): readonly string[] | undefined =>
  query.value['compare']?.split(',').slice(0, 2);

/** Closes the inspector; the focus returns to the row that was open. */
export function closeOpened({ key, closed }: Opened<never>): void {
  const open = key();
  setQuery({ ...closed, compare: undefined });
  // A narrow screen shows the list when the inspector is gone.
  if (open !== undefined) setTimeout(() => focusRow(open));
}

/** Escape closes the inspector; without an inspector it goes back. */
export const escapeKey = (opened: Opened<never>, label: string, back?: () => void): KeyBinding => ({
  keys: 'Escape',
  label,
  run: () => {
    if (back && opened.key() === undefined && comparedKeys() === undefined) back();
    else closeOpened(opened);
  },
});

import type { Marks } from '../list/marks.ts';
import { focusedRow, focusRow, rowKeys } from '../list/row-keys.ts';
import { useKeys } from '../navigation/keys.ts';
import { go, href } from '../navigation/location.ts';
import type { PhoneActions } from './phone-actions.ts';
import { outcomeOf, type PushRow } from './push-rows.ts';
import { shownPush, type Target } from './selection.ts';
import { strings } from './strings.ts';

interface KeysOf {
  readonly actions: PhoneActions;
  readonly target: Target | undefined;
  readonly rows: readonly PushRow[];
  readonly marks: Marks;
  readonly closePush: () => void;
  readonly compare: () => void;
  readonly openFaults: () => void;
}

/** The keys of a phone. */
export function usePhoneKeys(keysOf: KeysOf): void {
  const { actions, target, rows, marks, closePush, compare, openFaults } = keysOf;
  useKeys(strings.keys, [
    ...rowKeys(() => shownPush.peek()),
    {
      keys: 't',
      label: strings.keyTest,
      run: () => {
        if (target) void actions.test(target);
      },
    },
    {
      keys: 'o',
      label: strings.keyOnline,
      run: () => {
        const phone = target?.phone;
        if (phone?.is_installed) void actions.setOnline(phone, !phone.is_online);
      },
    },
    { keys: 'f', label: strings.keyFaults, run: openFaults },
    { keys: 'n', label: strings.keyFailed, run: () => focusFailed(rows) },
    {
      keys: 'x',
      label: strings.keyMark,
      run: () => {
        const key = focusedRow() ?? shownPush.peek();
        if (key !== undefined) marks.toggle(key);
      },
    },
    {
      keys: 'd',
      label: strings.keyCompare,
      run: () => {
        if (marks.keys.peek().length === 2) compare();
      },
    },
    {
      keys: 'Escape',
      label: strings.keyBack,
      run: () => (shownPush.peek() === undefined ? go(href(['phones'])) : closePush()),
    },
  ]);
}

/** Gives the focus to the next push after the focused one that failed; from the last to the first. */
function focusFailed(rows: readonly PushRow[]): void {
  const from = rows.findIndex(({ cipher_id }) => cipher_id === focusedRow());
  const later = [...rows.slice(from + 1), ...rows.slice(0, from + 1)];
  const next = later.find((row) => outcomeOf(row).status === 'failed');
  if (next) focusRow(next.cipher_id);
}

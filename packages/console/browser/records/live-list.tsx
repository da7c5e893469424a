import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';

import { Button } from '../controls/button.tsx';
import { focusRow, sought } from '../list/row-keys.ts';

import './live-list.css';
import { WindowList } from '../list/window-list.tsx';
import { countWaiting, heldRows } from './held-rows.ts';

interface LiveListProps<T> {
  /** Newest first; later rows come before the others. */
  readonly items: readonly T[];
  readonly keyOf: (item: T) => string;
  /** The row has an element with `data-row`, the key, which can have the focus. */
  readonly render: (item: T, before: T | undefined) => ComponentChildren;
  readonly label: string;
  /** Keeps new rows out, also while the top is in sight. */
  readonly isPaused: boolean;
  /** A row to bring into view, as the selected one. */
  readonly reveal?: string | undefined;
  /** Loads older items. */
  readonly onEnd?: (() => void) | undefined;
}

/**
 * A long list that others add to. New rows enter only while the top is in sight and the list is not
 * paused; else they wait behind a button, so that nothing moves under the pointer. Rows that are there
 * change in place.
 */
export function LiveList<T>(props: LiveListProps<T>) {
  const { items, keyOf, isPaused, reveal, ...rest } = props;
  const isHeld = useSignal(false);
  const shown = useRef<readonly T[]>([]);
  const restarts = useSignal(0);
  const isAtTop = useRef(true);
  const target = useRef(reveal);
  const box = useRef<HTMLDivElement>(null);
  const rows = useMemo(
    () => (isHeld.value ? heldRows(items, shown.current, keyOf) : items),
    [items, isHeld.value],
  );
  shown.current = rows;
  const waiting = useMemo(
    () => (rows === items ? 0 : countWaiting(items.map(keyOf), new Set(rows.map(keyOf)))),
    [rows],
  );

  const restart = (at: string | undefined) => {
    target.current = at;
    isAtTop.current = at === undefined;
    restarts.value++;
  };
  /** Brings a row to the page, also one that waits, unless the list is paused. */
  const bring = (key: string) => {
    const isIn = (list: readonly T[]) => list.some((item) => keyOf(item) === key);
    const waits = !isIn(rows);
    if (waits && (isPaused || !isIn(items))) return;
    if (waits) isHeld.value = false;
    restart(key);
  };

  useLayoutEffect(() => {
    isHeld.value = isPaused || !isAtTop.current;
  }, [isPaused]);

  useEffect(() => {
    if (reveal === undefined) return;
    const row = box.current?.querySelector(`[data-row="${CSS.escape(reveal)}"]`);
    if (row) row.scrollIntoView({ block: 'nearest' });
    else bring(reveal);
  }, [reveal]);

  useEffect(() => {
    if (sought.value !== undefined) bring(sought.value);
  }, [sought.value]);
  useEffect(() => {
    if (restarts.value === 0) return;
    const key = sought.peek();
    if (key !== undefined) focusRow(key);
    sought.value = undefined;
    // The button that was pressed is gone.
    if (document.activeElement === document.body)
      box.current?.querySelector<HTMLElement>('.window-list')?.focus();
  }, [restarts.value]);

  return (
    <div ref={box} class="live-list">
      {waiting > 0 && (
        <div class="live-list-waiting" role="status">
          <Button
            kind="primary"
            onClick={() => {
              isHeld.value = false;
              restart(undefined);
            }}
          >
            {waiting} new
          </Button>
        </div>
      )}
      <WindowList
        {...rest}
        key={restarts.value}
        items={rows}
        keyOf={keyOf}
        target={target.current}
        onSeen={(_first, _last, isAtEdge) => {
          isAtTop.current = isAtEdge;
          isHeld.value = isPaused || !isAtEdge;
        }}
      />
    </div>
  );
}

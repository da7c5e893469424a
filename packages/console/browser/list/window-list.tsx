import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

import './window-list.css';
import { firstVisible, type Slice, sliceAround, shifted } from './window-slice.ts';

interface WindowListProps<T> {
  readonly items: readonly T[];
  /** Unique, and the same as long as the item is in the list. */
  readonly keyOf: (item: T) => string;
  readonly render: (item: T, before: T | undefined) => ComponentChildren;
  readonly label: string;
  /**
   * The edge at which the list begins and new items arrive. The list follows them while the edge is
   * in sight.
   */
  readonly start?: 'top' | 'end';
  /** The item to show first. */
  readonly target?: string | undefined;
  /** Loads items before the first, or after the last one. */
  readonly onStart?: (() => void) | undefined;
  readonly onEnd?: (() => void) | undefined;
  /** Called with the keys of the first and the last item in sight, and whether that edge is. */
  readonly onSeen?: ((first: string, last: string, isAtEdge: boolean) => void) | undefined;
  readonly role?: 'log' | 'list';
}

const NEAR_PX = 600;
const AT_EDGE_PX = 24;

/**
 * A long list of which 150 to 200 rows are on the page, moved in steps of 25. The rows are real: the
 * browser's search, selection and screen readers find them. Nothing jumps: the first row in sight
 * stays where it is when rows before it change.
 */
export function WindowList<T>(props: WindowListProps<T>) {
  const { items, keyOf, render, label, start = 'top', target, role = 'list' } = props;
  const box = useRef<HTMLDivElement>(null);
  const anchor = useRef<{ key: string; top: number } | undefined>(undefined);
  const isAtEdge = useRef(true);
  const shown = useRef<string | undefined>(undefined);
  const [slice, setSlice] = useState<Slice | undefined>(undefined);
  const keys = items.map(keyOf);
  const aim = target ?? start;
  const isAimed = shown.current === aim;
  const current = sliceAround(keys, isAimed ? slice : undefined, {
    target,
    start,
    follow: isAtEdge.current,
  });
  const first = keys[current.from];

  useLayoutEffect(() => {
    const { current: list } = box;
    if (!list) return;
    if (!isAimed && items.length > 0) {
      shown.current = aim;
      if (slice) setSlice({ firstKey: first ?? '', size: current.to - current.from });
      const row = target === undefined ? undefined : rowOf(list, target);
      if (row) list.scrollTop = row.offsetTop - list.clientHeight / 3;
      else toEdge(list);
      isAtEdge.current = row === undefined || isEdgeInSight(list);
    } else if (isAtEdge.current) toEdge(list);
    else if (anchor.current) {
      const row = rowOf(list, anchor.current.key);
      if (row) list.scrollTop += row.getBoundingClientRect().top - anchor.current.top;
    }
    anchor.current = firstVisible(list);
    report(list);
    // Rows that arrive while the last one is in sight: a list at its bottom has no more scroll events.
    const below = list.scrollHeight - list.scrollTop - list.clientHeight;
    if (!isAtEdge.current && below < NEAR_PX && current.to < keys.length)
      setSlice(shifted(keys, current, 1));
    // The same at the top: one cannot scroll further up there, so that no event would show them.
    else if (!isAtEdge.current && list.scrollTop < NEAR_PX && current.from > 0)
      setSlice(shifted(keys, current, -1));
  });

  const toEdge = (list: HTMLDivElement) => {
    list.scrollTop = start === 'end' ? list.scrollHeight : 0;
  };

  const isEdgeInSight = ({ scrollTop, scrollHeight, clientHeight }: HTMLDivElement) =>
    start === 'end'
      ? scrollHeight - scrollTop - clientHeight < AT_EDGE_PX && current.to === keys.length
      : scrollTop < AT_EDGE_PX && current.from === 0;

  const report = (list: HTMLDivElement) => {
    const rows = [...list.children] as HTMLElement[];
    const { top, bottom } = list.getBoundingClientRect();
    const seen = rows.filter((row) => {
      const box = row.getBoundingClientRect();
      return box.bottom > top && box.top < bottom;
    });
    const [one, last] = [seen[0]?.dataset['key'], seen.at(-1)?.dataset['key']];
    if (one !== undefined && last !== undefined) props.onSeen?.(one, last, isAtEdge.current);
  };

  const scroll = () => {
    const { current: list } = box;
    if (!list) return;
    const { scrollTop, scrollHeight, clientHeight } = list;
    const below = scrollHeight - scrollTop - clientHeight;
    anchor.current = firstVisible(list);
    isAtEdge.current = isEdgeInSight(list);
    report(list);
    if (scrollTop < NEAR_PX) {
      if (current.from > 0) setSlice(shifted(keys, current, -1));
      else props.onStart?.();
    } else if (below < NEAR_PX) {
      if (current.to < keys.length) setSlice(shifted(keys, current, 1));
      else props.onEnd?.();
    }
  };

  return (
    <div
      ref={box}
      class="window-list"
      role={role}
      aria-label={label}
      tabindex={0}
      data-first={first}
      onScroll={scroll}
    >
      {items.slice(current.from, current.to).map((item, at) => (
        <div
          key={keys[current.from + at]}
          data-key={keys[current.from + at]}
          role={role === 'list' ? 'listitem' : undefined}
        >
          {render(item, items[current.from + at - 1])}
        </div>
      ))}
    </div>
  );
}

const rowOf = (list: HTMLElement, key: string) =>
  [...list.children].find((row) => (row as HTMLElement).dataset['key'] === key) as
    | HTMLElement
    | undefined;

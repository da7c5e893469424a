import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';

import './window-list.css';
import { FIRST_PACE, pace } from './pace.ts';
import { farRows, keepAt, rowOf, sightOf } from './window-sight.ts';
import { type Slice, sliceAround, shifted } from './window-slice.ts';

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

/** Rows are on the page from this far above the sight to this far below it; then more are added. */
const NEAR_PX = 800;
/** Rows leave the page at this distance. */
const FAR_PX = 1200;
/** More items are loaded before the last known one is on the page. */
const AHEAD = 50;
const AT_EDGE_PX = 24;

/**
 * A long list of which the rows in sight and some around them are on the page, a few more in each frame. The
 * rows are real: the browser's search, selection and screen readers find them. Nothing jumps: the
 * first row in sight stays where it is when rows before it come, go or change their height.
 */
export function WindowList<T>(props: WindowListProps<T>) {
  const { items, keyOf, render, label, start = 'top', target, role = 'list' } = props;
  const box = useRef<HTMLDivElement>(null);
  const sight = useRef<ReturnType<typeof sightOf>>(undefined);
  const isAtEdge = useRef(true);
  const shown = useRef<string | undefined>(undefined);
  const frame = useRef(0);
  const rows = useRef(FIRST_PACE);
  const shiftedAt = useRef<number | undefined>(undefined);
  const [slice, setSlice] = useState<Slice | undefined>(undefined);
  const keys = useMemo(() => items.map(keyOf), [items]);
  const aim = target ?? start;
  const isAimed = shown.current === aim;
  const current = sliceAround(keys, isAimed ? slice : undefined, {
    target,
    start,
    follow: isAtEdge.current,
    seen: sight.current?.first,
  });
  const first = keys[current.from];
  const hadFocus = box.current?.contains(document.activeElement) === true;

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
      look(list);
    } else settle(list);
    if (shiftedAt.current !== undefined)
      rows.current = pace(rows.current, performance.now() - shiftedAt.current);
    shiftedAt.current = undefined;
    // The row with the focus has left the page: the keys that scroll go on.
    if (hadFocus && document.activeElement === document.body) list.focus({ preventScroll: true });
  });

  /** After rows have changed their heights, scrolls so that the first row in sight has not moved. */
  const settle = (list: HTMLDivElement) => {
    if (list.clientHeight === 0) return;
    if (isAtEdge.current) toEdge(list);
    else if (sight.current) keepAt(list, sight.current);
    look(list);
  };
  const settleNow = useRef(settle);
  settleNow.current = settle;
  const watchSize = useMemo(() => {
    const sizes = new ResizeObserver(() => box.current && settleNow.current(box.current));
    return (element: HTMLElement | null) => {
      if (!element) return undefined;
      sizes.observe(element);
      return () => sizes.unobserve(element);
    };
  }, []);
  useEffect(() => {
    const { current: list } = box;
    const stop = list && watchSize(list);
    return () => {
      stop?.();
      cancelAnimationFrame(frame.current);
    };
  }, []);

  const toEdge = (list: HTMLDivElement) => {
    list.scrollTop = start === 'end' ? list.scrollHeight : 0;
  };

  const isEdgeInSight = ({ scrollTop, scrollHeight, clientHeight }: HTMLDivElement) =>
    start === 'end'
      ? scrollHeight - scrollTop - clientHeight < AT_EDGE_PX && current.to === keys.length
      : scrollTop < AT_EDGE_PX && current.from === 0;

  /** Stores which rows are in sight; in the next frame reports them and adds the rows around them. */
  const look = (list: HTMLDivElement) => {
    sight.current = sightOf(list) ?? sight.current;
    cancelAnimationFrame(frame.current);
    frame.current = requestAnimationFrame(() => extend(list));
  };

  const extend = (list: HTMLDivElement) => {
    const seen = sightOf(list);
    if (!seen) return;
    props.onSeen?.(seen.first, seen.last, isAtEdge.current);
    const { above, below } = farRows(list, FAR_PX);
    const shift = (direction: -1 | 1, far: number) => {
      shiftedAt.current = performance.now();
      setSlice(shifted(keys, current, { direction, rows: rows.current, far }));
    };
    if (isNearTop(list) && current.from > 0) shift(-1, below);
    else if (isNearEnd(list) && current.to < keys.length) shift(1, above);
  };

  const scroll = () => {
    const { current: list } = box;
    if (!list) return;
    isAtEdge.current = isEdgeInSight(list);
    look(list);
    if (isNearTop(list) && current.from < AHEAD) props.onStart?.();
    else if (isNearEnd(list) && keys.length - current.to < AHEAD) props.onEnd?.();
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
          ref={watchSize}
          data-key={keys[current.from + at]}
          role={role === 'list' ? 'listitem' : undefined}
        >
          {render(item, items[current.from + at - 1])}
        </div>
      ))}
    </div>
  );
}

const isNearTop = ({ scrollTop }: HTMLElement) => scrollTop < NEAR_PX;
const isNearEnd = ({ scrollTop, scrollHeight, clientHeight }: HTMLElement) =>
  scrollHeight - scrollTop - clientHeight < NEAR_PX;

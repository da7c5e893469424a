import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

import { ClockTime } from '../controls/clock-time.tsx';
import { Tabs } from '../controls/tabs.tsx';
import { Lazy } from '../shell/lazy.tsx';

const loadDiff = async () => (await import('../json/diff-view.tsx')).DiffView;

interface ComparisonProps<T> {
  /** The two records, the older one first; undefined if one is missing. */
  readonly rows: readonly [T, T] | undefined;
  readonly timeOf: (row: T) => number;
  readonly nameOf: (row: T) => ComponentChildren;
  /** The texts to compare, by the name of their tab. */
  readonly parts: Readonly<Record<string, (row: T) => string>>;
}

/** The differences between two records. */
export function Comparison<T>({ rows, timeOf, nameOf, parts }: ComparisonProps<T>) {
  const [first = ''] = Object.keys(parts);
  const part = useSignal(first);
  if (!rows) return <p class="inspector-note muted">This item is not in the list.</p>;
  const textOf = parts[part.value] ?? (() => '');
  const props = { label: part.value, before: textOf(rows[0]), after: textOf(rows[1]) };
  return (
    <>
      <ol class="compared" role="list">
        {rows.map((row, at) => (
          <li key={at} class="row">
            <ClockTime ms={timeOf(row)} />
            {nameOf(row)}
          </li>
        ))}
      </ol>
      <Tabs
        label="Compare"
        tabs={Object.fromEntries(Object.keys(parts).map((name) => [name, name]))}
        chosen={part.value}
        onChoose={(next) => (part.value = next)}
      >
        <Lazy load={loadDiff} props={props} />
      </Tabs>
    </>
  );
}

/** Two rows, the older one first. */
export function inOrder<T>(
  rows: readonly T[],
  timeOf: (row: T) => number,
): readonly [T, T] | undefined {
  const [before, after] = rows.toSorted((a, b) => timeOf(a) - timeOf(b));
  return before === undefined || after === undefined ? undefined : [before, after];
}

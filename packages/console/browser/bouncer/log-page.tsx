import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

import { Button } from '../controls/button.tsx';
import { ErrorNotice } from '../controls/error-notice.tsx';
import { FilterField, type FilterKeys } from '../list/filter-field.tsx';
import { type Filter, parseFilter } from '../list/filter-text.ts';
import { countWaiting } from '../list/held-rows.ts';
import { PauseButton } from '../list/pause-button.tsx';
import { strings as listStrings } from '../list/strings.ts';
import { query } from '../navigation/location.ts';
import { type DataTableProps, DataTable } from './data-table.tsx';
import { strings } from './strings.ts';
import { usePolled } from './use-polled.ts';

interface LogPageProps<T> extends Omit<DataTableProps<T>, 'rows'> {
  /** The newest rows that fit the terms of the filter, newest first. */
  readonly fetchRows: (terms: Filter['terms']) => Promise<readonly T[]>;
  readonly filterKeys: FilterKeys;
  /** UNIX milliseconds. */
  readonly timeOf: (row: T) => number;
}

/**
 * The newest rows of a log, as they come. New ones enter only while the top is in sight and the page is not
 * paused; else they wait behind a button. Words of the filter are searched in the fetched rows.
 */
export function LogPage<T>(props: LogPageProps<T>) {
  const { fetchRows, filterKeys, timeOf, ...table } = props;
  const { keyOf } = table;
  const isPaused = useSignal(false);
  const isScrolled = useSignal(false);
  const held = useSignal<readonly T[] | undefined>(undefined);
  const box = useRef<HTMLDivElement>(null);
  const text = query.value['filter'] ?? '';
  const filter = parseFilter(text, Object.keys(filterKeys));
  const { value, error } = usePolled(() => fetchRows(filter.terms), [JSON.stringify(filter.terms)]);
  const rows = value.value?.filter((row) => hasWords(row, filter.words));
  useEffect(() => {
    const body = box.current?.parentElement;
    const note = () => (isScrolled.value = (body?.scrollTop ?? 0) > 0);
    body?.addEventListener('scroll', note, { passive: true });
    return () => body?.removeEventListener('scroll', note);
  }, []);
  useEffect(() => {
    held.value = isPaused.value || isScrolled.value ? rows : undefined;
  }, [isPaused.value, isScrolled.value, text]);

  const newest = new Map(rows?.map((row) => [keyOf(row), row]));
  const kept = held.value;
  const waiting = countWaiting([...newest.keys()], kept && new Set(kept.map(keyOf)));
  return (
    <div ref={box} class="log-page">
      <div class="row">
        <FilterField
          keys={filterKeys}
          placeholder={`${strings.filterPlaceholder(filterKeys)} ${strings.words}`}
        />
        <PauseButton isPaused={isPaused} lastEventAt={rows?.[0] ? timeOf(rows[0]) : Date.now()} />
      </div>
      <ErrorNotice error={error.value} />
      {waiting > 0 && (
        <div class="live-list-waiting" role="status">
          <Button
            kind="primary"
            onClick={() => {
              held.value = isPaused.value ? rows : undefined;
              box.current?.parentElement?.scrollTo({ top: 0 });
            }}
          >
            {listStrings.waiting(waiting)}
          </Button>
        </div>
      )}
      <DataTable {...table} rows={kept ? kept.map((row) => newest.get(keyOf(row)) ?? row) : rows} />
    </div>
  );
}

function hasWords(row: unknown, words: string): boolean {
  const text = JSON.stringify(row).toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

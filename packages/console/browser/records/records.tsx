import type { ReadonlySignal } from '@preact/signals';
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

import { Button, IconButton } from '../controls/button.tsx';
import { FilterField } from '../list/filter-field.tsx';
import { Rows } from '../list/rows.tsx';
import { shownFilter } from '../list/shown-filter.ts';
import type { KeyBinding } from '../navigation/keys.ts';
import { setQuery } from '../navigation/location.ts';
import { LiveList } from './live-list.tsx';
import { PauseButton } from './pause-button.tsx';
import { RecentFailures } from './recent-failures.ts';
import type { RecordList } from './record-list.ts';
import { RecordRow } from './record-row.tsx';

import './records.css';
import { SavedViews } from './saved-views.tsx';
import { useRecordKeys } from './use-record-keys.ts';

interface RecordsProps<T> {
  readonly list: RecordList<T>;
  /**
   * The rows that match the filter of the address, newest first; undefined until they are fetched.
   */
  readonly rows: readonly T[] | undefined;
  /** UNIX milliseconds. */
  readonly lastEventAt: ReadonlySignal<number>;
  readonly error?: unknown;
  readonly onRetry?: (() => void) | undefined;
  /** Loads older rows. */
  readonly onEnd?: (() => void) | undefined;
  /** Buttons beside the filter. */
  readonly tools?: ComponentChildren;
  /** Shown in a list without rows and filter. */
  readonly empty: ComponentChildren;
  /** Keys for the row that has the focus or is open. */
  readonly keys?: (current: () => T | undefined) => readonly KeyBinding[];
}

const none = () => [];

/**
 * A list of records to which others add: filter, saved views, pause, marks, keys, failures in the title.
 */
export function Records<T>(props: RecordsProps<T>) {
  const { list, rows, lastEventAt, error, onRetry, onEnd, tools, empty, keys = none } = props;
  const isPaused = useSignal(false);
  const filter = shownFilter();
  const open = list.opened.key();
  const marked = list.marks.keys.value;
  useRecordKeys(list, rows ?? [], keys);
  return (
    <div class="records">
      <div class="records-head">
        <FilterField keys={list.filterKeys} placeholder={list.placeholder} />
        <SavedViews id={list.id} filter={filter} />
        <PauseButton isPaused={isPaused} lastEventAt={lastEventAt} />
        {tools}
        <CompareButton {...list.marks} />
      </div>
      <Rows
        rows={rows}
        error={error}
        onRetry={onRetry}
        empty={empty}
        noMatch={list.noMatch !== undefined && <p>{list.noMatch}</p>}
      >
        {(shown) => (
          <>
            <RecentFailures list={list as RecordList<unknown>} rows={shown} />
            {list.heads && (
              <div class={`record record-heads ${list.rowClass}`} aria-hidden="true">
                {['', ...list.heads].map((head) => (
                  <span key={head}>{head}</span>
                ))}
              </div>
            )}
            <LiveList
              key={filter}
              items={shown}
              keyOf={list.keyOf}
              label={list.label}
              isPaused={isPaused.value}
              reveal={open}
              onEnd={onEnd}
              render={(row) => (
                <RecordRow
                  list={list as RecordList<unknown>}
                  row={row}
                  isOpen={list.keyOf(row) === open}
                  isMarked={marked.includes(list.keyOf(row))}
                />
              )}
            />
          </>
        )}
      </Rows>
    </div>
  );
}

/** Compares the two marked rows. */
function CompareButton({ keys, clear }: RecordList<unknown>['marks']) {
  const marked = keys.value;
  if (marked.length === 0) return null;
  return (
    <span class="row">
      <Button
        icon="columns-2"
        disabled={marked.length < 2}
        onClick={() => setQuery({ compare: marked.join(',') })}
      >
        {marked.length < 2 ? `${marked.length} marked` : 'Compare'}
      </Button>
      <IconButton icon="x" label="Clear marks" onClick={clear} />
    </span>
  );
}

import { query } from '../navigation/location.ts';
import type { FilterKeys } from '../records/filter-field.tsx';
import { createMarks } from '../records/marks.ts';
import { timeKeys } from '../records/matcher.ts';
import type { Opened, RecordList } from '../records/record-list.ts';
import type { Column } from './data-table.tsx';
import type { OperatorClient } from './operator-client.ts';
import { strings } from './strings.ts';

/** The values of a filter that the bouncer knows. It refuses others. */
export type Terms = Readonly<Record<string, string>>;

/** A list of records of the bouncer. */
export interface Log<T> extends RecordList<T> {
  /** The keys by which the bouncer filters. */
  readonly keys: FilterKeys;
  /** Fetches the rows that match the terms, newest first. */
  readonly fetchRows: (client: OperatorClient, terms: Terms) => Promise<readonly T[]>;
  /** The path and query of the operator API that return a row. */
  readonly pathOf: (row: T) => string;
  /** The notification of a row. */
  readonly pushOf?: (row: T) => string;
  /** Shown while the list has no records. */
  readonly empty: string;
}

export const openedRecord: Opened<unknown> = {
  key: () => query.value['record'],
  opens: () => ({}),
  closed: { record: undefined },
};

type Derived = 'cells' | 'heads' | 'filterKeys' | 'placeholder' | 'noMatch' | 'opened' | 'marks';
interface LogOptions<T> extends Omit<Log<T>, Derived> {
  readonly columns: readonly Column<T>[];
}

/** A log with these columns. A narrow screen names them in each row. */
export const log = <T,>({ columns, keys, ...options }: LogOptions<T>): Log<T> => ({
  ...options,
  keys,
  cells: (row) =>
    columns.map(({ head, cell, isNumber }) => (
      <span key={head} class={isNumber ? 'log-cell number' : 'log-cell'}>
        <span class="log-head">{head}</span>
        <span class="log-value">{cell(row)}</span>
      </span>
    )),
  heads: [strings.at, ...columns.map(({ head }) => head)],
  filterKeys: { ...keys, ...timeKeys },
  placeholder: `${Object.keys(keys)
    .map((key) => `${key}:...`)
    .join(' ')} after:10m ${strings.words}`,
  noMatch: strings.noMatch,
  opened: { ...openedRecord, opens: (row) => ({ record: options.keyOf(row) }) },
  marks: createMarks(),
});

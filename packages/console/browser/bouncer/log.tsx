import { timeKeys } from '../list/matcher.ts';
import type { FilterKeys } from '../list/suggestions.ts';
import type { Column } from '../list/table.tsx';
import { query } from '../navigation/location.ts';
import { createMarks } from '../records/marks.ts';
import type { Opened, RecordList } from '../records/record-list.ts';
import type { OperatorClient } from './operator-client.ts';

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
    columns.map(({ title, cell, isNumber }) => (
      <span key={title} class={isNumber ? 'log-cell number' : 'log-cell'}>
        <span class="log-head">{title}</span>
        <span class="log-value">{cell(row)}</span>
      </span>
    )),
  heads: ['Time', ...columns.map(({ title }) => title)],
  filterKeys: { ...keys, ...timeKeys },
  placeholder: `${Object.keys(keys)
    .map((key) => `${key}:...`)
    .join(' ')} after:10m words`,
  noMatch: 'Only the 200 most recent records are searched for words and times.',
  opened: { ...openedRecord, opens: (row) => ({ record: options.keyOf(row) }) },
  marks: createMarks(),
});

import type { ComponentChildren } from 'preact';

import { Empty } from '../controls/empty.tsx';
import { ListLoading } from '../list/list-loading.tsx';
import { strings } from './strings.ts';

export interface Column<T> {
  readonly head: string;
  readonly cell: (row: T) => ComponentChildren;
  /** Aligns numbers at their last digit. */
  readonly isNumber?: boolean;
}
interface DataTableProps<T> {
  readonly label: string;
  readonly columns: readonly Column<T>[];
  /** Undefined until the rows are fetched. */
  readonly rows: readonly T[] | undefined;
  readonly keyOf: (row: T) => string;
  /** The text for an empty table. */
  readonly empty: string;
  /** A button or link that fills an empty table. */
  readonly fill?: ComponentChildren;
}

/** Rows in columns. A narrow screen shows each row as a card. */
export function DataTable<T>(props: DataTableProps<T>) {
  const { label, columns, rows, keyOf, empty, fill } = props;
  if (!rows) return <ListLoading />;
  if (rows.length === 0)
    return (
      <Empty icon="inbox" title={strings.nothing}>
        <p>{empty}</p>
        {fill}
      </Empty>
    );
  return (
    <div class="data-scroll" role="region" aria-label={strings.tableOf(label)} tabindex={0}>
      <table class="data-table" aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ head, isNumber }) => (
              <th key={head} class={isNumber ? 'number' : ''} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ head, cell, isNumber }) => (
                <td key={head} class={isNumber ? 'number' : ''} data-head={head}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

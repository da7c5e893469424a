import type { ComponentChildren } from 'preact';

import { Empty } from '../controls/empty.tsx';
import { Rows } from '../list/rows.tsx';
import { Table, type TableProps } from '../list/table.tsx';

type DataTableProps<T> = Pick<TableProps<T>, 'label' | 'columns' | 'keyOf'> & {
  /** Undefined until the rows are fetched. */
  readonly rows: readonly T[] | undefined;
  /** The text for an empty table. */
  readonly empty: string;
  /** A button or link that fills an empty table. */
  readonly fill?: ComponentChildren;
};

/** A table of the bouncer, which a narrow screen shows as cards. */
export const DataTable = <T,>({ rows, empty, fill, ...table }: DataTableProps<T>) => (
  <Rows
    rows={rows}
    empty={
      <Empty icon="inbox" title="Nothing here yet">
        <p>{empty}</p>
        {fill}
      </Empty>
    }
  >
    {(shown) => <Table {...table} rows={shown} hasCards />}
  </Rows>
);

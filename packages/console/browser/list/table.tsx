import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

import { Button } from '../controls/button.tsx';
import { useKeys } from '../navigation/keys.ts';
import { rowKeys } from './row-keys.ts';

import './table.css';

/** A column of a list. */
export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Aligns numbers at their last digit. */
  readonly isNumber?: boolean;
  /** Left out on a narrow screen. */
  readonly isWide?: boolean;
}
export interface TableProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
  readonly columns: readonly Column<Row>[];
  /** The address that opens a row at the right. The first cell links to it. */
  readonly hrefOf?: ((row: Row) => string) | undefined;
  /** The key of the row that is open. */
  readonly open?: string | undefined;
  /** Buttons at the end of a row. */
  readonly actions?: ((row: Row) => ComponentChildren) | false | undefined;
  /** Whether a narrow screen shows each row as a card with the titles of its cells, and a wide table scrolls. */
  readonly hasCards?: boolean;
}
const STEP = 200;

/** Rows in columns, of which 200 are shown at first. */
export function Table<Row>(props: TableProps<Row>) {
  const { label, rows, keyOf, columns, hrefOf, open, actions, hasCards = false } = props;
  const shown = useSignal(STEP);
  const rest = rows.length - shown.value;
  const table = (
    <table class={hasCards ? 'table cards' : 'table'} aria-label={label}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.title} scope="col" class={classOf(column)}>
              {column.title}
            </th>
          ))}
          {actions && (
            <th>
              <span class="visually-hidden">Actions</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.slice(0, shown.value).map((row) => (
          <tr key={keyOf(row)} class={String(keyOf(row)) === open ? 'open' : ''}>
            {columns.map((column, at) => (
              <td key={column.title} class={classOf(column)} data-title={column.title}>
                {at === 0 && hrefOf ? (
                  <a data-row={keyOf(row)} href={hrefOf(row)}>
                    {column.cell(row)}
                  </a>
                ) : (
                  column.cell(row)
                )}
              </td>
            ))}
            {actions && <td class="table-actions">{actions(row)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
  return (
    <>
      {hrefOf && <RowKeys open={open} />}
      {hasCards ? (
        <div class="table-scroll" role="region" aria-label={`${label}, table`} tabindex={0}>
          {table}
        </div>
      ) : (
        table
      )}
      {rest > 0 && (
        <Button onClick={() => (shown.value += STEP)}>
          Show {Math.min(rest, STEP)} more of {rest}
        </Button>
      )}
    </>
  );
}

function RowKeys({ open }: { open: string | undefined }) {
  useKeys(
    'Table',
    rowKeys(() => open),
  );
  return null;
}

const classOf = <Row,>({ isNumber, isWide }: Column<Row>) =>
  [isNumber && 'number', isWide && 'wide'].filter(Boolean).join(' ');

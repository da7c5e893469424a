import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

import { Button } from '../../controls/button.tsx';
import { rowKeys } from '../../list/row-keys.ts';
import { useKeys } from '../../navigation/keys.ts';
import { hrefOf } from '../go-to.ts';
import { strings } from '../strings.ts';

interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Left out on a narrow screen. */
  readonly isWide?: true;
}
export interface TableProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly idOf: (row: Row) => string | number;
  readonly columns: readonly Column<Row>[];
  /** The page whose rows open at the right. */
  readonly page?: string | undefined;
  readonly open?: string | undefined;
  /** Buttons at the end of a row. */
  readonly actions?: ((row: Row) => ComponentChildren) | false | undefined;
}
const STEP = 200;

/** A table of which 200 rows are shown at first. With `page`, the first cell opens its row. */
export function Table<Row>(props: TableProps<Row>) {
  const { label, rows, idOf, columns, page, open, actions } = props;
  const shown = useSignal(STEP);
  useKeys(
    strings.table,
    rowKeys(() => open),
  );
  const firstCell = (row: Row, content: ComponentChildren) =>
    page === undefined ? (
      content
    ) : (
      <a data-row={idOf(row)} href={hrefOf(page, idOf(row))}>
        {content}
      </a>
    );
  return (
    <>
      <table class="org-table" aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ title, isWide }) => (
              <th key={title} scope="col" class={isWide && 'wide'}>
                {title}
              </th>
            ))}
            {actions && (
              <th>
                <span class="visually-hidden">{strings.actions}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, shown.value).map((row) => (
            <tr key={idOf(row)} class={String(idOf(row)) === open ? 'open' : ''}>
              {columns.map(({ title, cell, isWide }, at) => (
                <td key={title} class={isWide && 'wide'}>
                  {at === 0 ? firstCell(row, cell(row)) : cell(row)}
                </td>
              ))}
              {actions && <td class="org-actions">{actions(row)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > shown.value && (
        <Button onClick={() => (shown.value += STEP)}>
          {strings.showMore(rows.length - shown.value)}
        </Button>
      )}
    </>
  );
}

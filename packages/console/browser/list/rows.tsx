import type { ComponentChildren } from 'preact';

import { Button } from '../controls/button.tsx';
import { Empty } from '../controls/empty.tsx';
import { ErrorNotice } from '../controls/error-notice.tsx';
import { ListLoading } from './list-loading.tsx';
import { clearFilter, isFiltered } from './shown-filter.ts';

interface RowsProps<Row> {
  /** The rows that match the filter of the address; undefined until they are fetched. */
  readonly rows: readonly Row[] | undefined;
  readonly error?: unknown;
  readonly onRetry?: (() => unknown) | undefined;
  /** Shown if there are no rows and no filter. */
  readonly empty: ComponentChildren;
  /** A hint for a person whose filter matches nothing. */
  readonly noMatch?: ComponentChildren;
  /** Shows the rows. */
  readonly children: (rows: readonly Row[]) => ComponentChildren;
}

/** The rows of a list, or the reason why there are none. */
export function Rows<Row>({ rows, error, onRetry, empty, noMatch, children }: RowsProps<Row>) {
  return (
    <>
      <ErrorNotice error={error} onRetry={onRetry} />
      {rows && rows.length > 0 ? (
        children(rows)
      ) : error !== undefined ? null : !rows ? (
        <ListLoading />
      ) : isFiltered() ? (
        <Empty icon="search" title="No matches">
          {noMatch}
          <Button onClick={clearFilter}>Clear filter</Button>
        </Empty>
      ) : (
        empty
      )}
    </>
  );
}

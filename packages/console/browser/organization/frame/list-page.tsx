import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

import type { IconName } from '../../../src/icon-names.ts';
import { Button } from '../../controls/button.tsx';
import { Empty } from '../../controls/empty.tsx';
import { ErrorNotice } from '../../controls/error-notice.tsx';
import { ListLoading } from '../../list/list-loading.tsx';
import { query, setQuery } from '../../navigation/location.ts';
import type { PageProps } from '../page.ts';
import { strings } from '../strings.ts';
import { PageFrame } from './page-frame.tsx';
import { Table, type TableProps } from './table.tsx';

type ListPageProps<Row> = Pick<PageProps, 'page' | 'item'> &
  Pick<TableProps<Row>, 'idOf' | 'columns' | 'actions'> & {
    /** Undefined: not fetched yet. */
    readonly rows: readonly Row[] | undefined;
    /** A dialog that adds a row. Its button is at the right of the title, or in an empty list. */
    readonly add?: Add | false;
    /** A link in its place. */
    readonly link?: ComponentChildren;
    /** Fields that choose among the rows. */
    readonly tools?: ComponentChildren;
    readonly error?: unknown;
    readonly onRetry?: () => void;
    /** Whether rows open at the right. Default: if the page has an inspector. */
    readonly opens?: boolean;
  };

interface Add {
  readonly label: string;
  /** Default: a plus. */
  readonly icon?: IconName;
  readonly dialog: (close: () => void) => ComponentChildren;
}

/** A page that is a list, with all that surrounds it. */
export function ListPage<Row>(props: ListPageProps<Row>) {
  const { page, item, rows, add, link, tools, error, onRetry, opens = true, ...table } = props;
  const { words, icon } = page;
  const isEmpty = rows?.length === 0;
  const isAdding = useSignal(false);
  const button = add ? (
    <Button kind="primary" icon={add.icon ?? 'plus'} onClick={() => (isAdding.value = true)}>
      {add.label}
    </Button>
  ) : (
    link
  );
  return (
    <PageFrame page={page} actions={(!isEmpty || isFiltered()) && button}>
      {tools && <div class="row org-tools">{tools}</div>}
      <ErrorNotice error={error} onRetry={onRetry} />
      {!rows && error === undefined && <ListLoading />}
      {rows && !isEmpty && (
        <Table
          {...table}
          label={words.title}
          rows={rows}
          page={opens && page.inspector ? page.id : undefined}
          open={item}
        />
      )}
      {isEmpty && isFiltered() && (
        <Empty icon="search" title={strings.nothingMatches}>
          <Button onClick={() => setQuery({ q: undefined, show: undefined })}>
            {strings.showAll}
          </Button>
        </Empty>
      )}
      {isEmpty && !isFiltered() && (
        <Empty icon={icon} title={words.none ?? words.title}>
          <p>{words.noneText}</p>
          {button}
        </Empty>
      )}
      {add && isAdding.value && add.dialog(() => (isAdding.value = false))}
    </PageFrame>
  );
}

/** Whether the address chooses among the rows of the page. */
const isFiltered = () => query.value['q'] !== undefined || query.value['show'] !== undefined;

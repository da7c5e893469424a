import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

import type { IconName } from '../../../src/icon-names.ts';
import { Button } from '../../controls/button.tsx';
import { Empty } from '../../controls/empty.tsx';
import { Rows } from '../../list/rows.tsx';
import { isFiltered } from '../../list/shown-filter.ts';
import { Table, type TableProps } from '../../list/table.tsx';
import { hrefOf } from '../go-to.ts';
import type { PageProps } from '../page.ts';
import { PageFrame } from './page-frame.tsx';

type ListPageProps<Row> = Pick<PageProps, 'page' | 'item'> &
  Pick<TableProps<Row>, 'keyOf' | 'columns' | 'actions'> & {
    /** Undefined: not fetched yet. */
    readonly rows: readonly Row[] | undefined;
    /** A dialog that adds a row. Its button is at the right of the title, or in an empty list. */
    readonly add?: Add | false;
    /** A link in its place. */
    readonly link?: ComponentChildren;
    /** Fields that choose among the rows. */
    readonly tools?: ComponentChildren;
    readonly error?: unknown;
    readonly onRetry?: () => unknown;
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
  const isAdding = useSignal(false);
  const button = add ? (
    <Button kind="primary" icon={add.icon ?? 'plus'} onClick={() => (isAdding.value = true)}>
      {add.label}
    </Button>
  ) : (
    link
  );
  return (
    <PageFrame page={page} actions={(rows?.length !== 0 || isFiltered()) && button}>
      {tools && <div class="row org-tools">{tools}</div>}
      <Rows
        rows={rows}
        error={error}
        onRetry={onRetry}
        empty={
          <Empty icon={icon} title={words.none ?? words.title}>
            <p>{words.noneText}</p>
            {button}
          </Empty>
        }
      >
        {(shown) => (
          <Table
            {...table}
            label={words.title}
            rows={shown}
            hrefOf={
              opens && page.inspector ? (row) => hrefOf(page.id, table.keyOf(row)) : undefined
            }
            open={item}
          />
        )}
      </Rows>
      {add && isAdding.value && add.dialog(() => (isAdding.value = false))}
    </PageFrame>
  );
}

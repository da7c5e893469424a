import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useMemo } from 'preact/hooks';

import { Empty } from '../controls/empty.tsx';
import { parseFilter } from '../list/filter-text.ts';
import { matcher } from '../list/matcher.ts';
import { shownFilter } from '../list/shown-filter.ts';
import { comparedKeys } from '../records/opened.ts';
import { Records } from '../records/records.tsx';
import type { Log } from './log.tsx';
import type { PageProps } from './page-props.ts';
import { RecordInspector } from './record-inspector.tsx';
import { usePolled } from './use-polled.ts';

interface LogPageProps<T> extends PageProps {
  readonly log: Log<T>;
  /** Called with the rows, unless the page shows only some of the rows that the bouncer found. */
  readonly tools?: (rows: readonly T[], refresh: () => Promise<void>) => ComponentChildren;
  /** The command that fills an empty log. */
  readonly command?: string | undefined;
  /** A button or link that fills it. */
  readonly fill?: ComponentChildren;
}

/** The newest records of a log, as they come. Words and times of the filter are searched among them. */
export function LogPage<T>(props: LogPageProps<T>) {
  const { log, client, isSandbox, inspector, tools, command, fill } = props;
  const text = shownFilter();
  const { terms } = parseFilter(text, Object.keys(log.keys));
  const {
    value: fetched,
    error,
    refresh,
  } = usePolled(() => log.fetchRows(client, terms), [client, JSON.stringify(terms)]);
  const rows = useMemo(
    () =>
      fetched?.filter(
        matcher<T>(text, Date.now(), {
          keys: Object.keys(log.filterKeys),
          timeOf: log.timeOf,
          valueOf: (row, key) => String(row[key as keyof T]),
          textOf: (row) => JSON.stringify(row),
        }),
      ),
    [fetched, text],
  );
  const lastEventAt = useSignal(Date.now());
  const [newest] = fetched ?? [];
  useEffect(() => {
    if (newest !== undefined) lastEventAt.value = log.timeOf(newest);
  }, [newest]);
  const opened = comparedKeys() ?? [log.opened.key()];
  const shown = fetched?.filter((row) => opened.includes(log.keyOf(row))) ?? [];
  useLayoutEffect(() => {
    inspector.value = shown.length > 0 && (
      <RecordInspector log={log} rows={shown} isSandbox={isSandbox} />
    );
  }, [opened.join(), JSON.stringify(shown)]);
  useEffect(() => () => (inspector.value = undefined), []);
  return (
    <Records
      list={log}
      rows={rows}
      lastEventAt={lastEventAt}
      error={error}
      tools={tools?.(rows && rows.length === fetched?.length ? rows : [], refresh)}
      empty={
        <Empty icon="inbox" title="Nothing here yet" {...(command !== undefined && { command })}>
          <p>{log.empty}</p>
          {fill}
        </Empty>
      }
    />
  );
}

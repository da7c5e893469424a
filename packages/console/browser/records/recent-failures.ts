import { useEffect } from 'preact/hooks';

import { now } from '../controls/now.ts';
import { failures } from '../shell/page-title.ts';
import type { RecordList } from './record-list.ts';

/** How long a failure is in the title. */
const RECENT_MS = 600_000;

interface RecentFailuresProps {
  readonly list: Pick<RecordList<unknown>, 'timeOf' | 'isFailed'>;
  /** Newest first. */
  readonly rows: readonly unknown[];
}

/**
 * Counts the recent failures of a list into the title of the page. A component of its own, because
 * the clock renders it.
 */
export function RecentFailures({ list: { timeOf, isFailed }, rows }: RecentFailuresProps) {
  const since = now.value - RECENT_MS;
  const end = rows.findIndex((row) => timeOf(row) <= since);
  const recent = rows.slice(0, end === -1 ? undefined : end);
  const count = isFailed ? recent.filter(isFailed).length : 0;
  useEffect(() => {
    failures.value = count;
    return () => (failures.value = 0);
  }, [count]);
  return null;
}

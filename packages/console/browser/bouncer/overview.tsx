import type { ProviderBacklog } from '@bellhop/protocol';

import { ErrorNotice } from '../controls/error-notice.tsx';

import '../json/body-view.css';
import { ListLoading } from '../list/list-loading.tsx';
import type { Column } from '../list/table.tsx';
import { query, setQuery } from '../navigation/location.ts';
import { Lazy } from '../shell/lazy.tsx';
import { DataTable } from './data-table.tsx';
import type { OperatorClient } from './operator-client.ts';
import type { PlotProps } from './plot.tsx';
import { usePolled } from './use-polled.ts';

const ranges = { '15': '15 min', '60': '1 h', '360': '6 h', '1440': '24 h', '4320': '3 days' };

const MINUTE = 60_000;
const STEPS = 60;
const loadPlot = async () => (await import('./plot.tsx')).Plot;
type Range = keyof typeof ranges;

/** The outcomes of notifications over time, and the waiting ones. */
export function Overview({ client }: { client: OperatorClient }) {
  const minutes: Range = isRange(query.value['range']) ? query.value['range'] : '15';
  const { value: shown, error } = usePolled(async () => {
    const span = Number(minutes) * MINUTE;
    const step_ms = span / STEPS;
    const to_ms = Math.ceil(Date.now() / step_ms) * step_ms;
    const range = { from_ms: to_ms - span, to_ms, step_ms };
    const [outcomes, providers, { lanes }] = await Promise.all([
      client.outcomes.list(range),
      client.outcomes.list({ ...range, group_by: 'provider' }),
      client.lanes.list(),
    ]);
    return { outcomes, providers, lanes };
  }, [client, minutes]);
  return (
    <>
      <ErrorNotice error={error} />
      <div class="segments" role="group" aria-label="Range">
        {Object.entries(ranges).map(([id, name]) => (
          <button
            key={id}
            type="button"
            aria-pressed={id === minutes}
            onClick={() => setQuery({ range: id === '15' ? undefined : id })}
          >
            {name}
          </button>
        ))}
      </div>
      {!shown && error === undefined && <ListLoading />}
      {shown && (
        <>
          <OutcomePlot title="Outcomes over time" {...shown.outcomes} />
          <OutcomePlot title="Notifications by provider" {...shown.providers} />
          <section class="card">
            <h3>Lanes</h3>
            <DataTable
              label="Lanes"
              columns={backlogColumns}
              rows={shown.lanes}
              keyOf={({ provider }) => provider}
              empty=""
            />
          </section>
        </>
      )}
    </>
  );
}

const isRange = (text: string | undefined): text is Range =>
  text !== undefined && Object.hasOwn(ranges, text);

const backlogColumns: readonly Column<ProviderBacklog>[] = [
  { title: 'Provider', cell: ({ provider }) => provider },
  { title: 'Waiting', cell: ({ waiting }) => waiting, isNumber: true },
  { title: 'Running', cell: ({ running }) => running, isNumber: true },
  { title: 'Given up', cell: ({ ended }) => ended, isNumber: true },
  {
    title: 'Oldest',
    cell: ({ oldest_seconds }) => (oldest_seconds > 0 ? `${Math.round(oldest_seconds)} s` : '-'),
    isNumber: true,
  },
];

function OutcomePlot({ title, times, series }: { title: string } & Omit<PlotProps, 'label'>) {
  const totals = series.map(({ label, values }) => ({
    label,
    total: values.reduce((sum, count) => sum + count, 0),
  }));
  const text = totals.map(({ label, total }) => `${label} ${total}`).join(', ');
  return (
    <section class="card">
      <h3>{title}</h3>
      {series.length === 0 ? (
        <p class="muted">No notifications in this period</p>
      ) : (
        <>
          <p class="muted">{text}</p>
          <Lazy load={loadPlot} props={{ label: `${title}: ${text}`, times, series }} />
        </>
      )}
    </section>
  );
}

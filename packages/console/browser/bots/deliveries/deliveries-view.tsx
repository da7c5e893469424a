import type { Bot } from '@bellhop/protocol';
import { type Signal, useComputed, useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useMemo, useState } from 'preact/hooks';

import { Button, IconButton } from '../../controls/button.tsx';
import { ErrorNotice } from '../../controls/error-notice.tsx';
import { now } from '../../controls/now.ts';
import { FilterField } from '../../list/filter-field.tsx';
import { ListLoading } from '../../list/list-loading.tsx';
import { LiveList } from '../../list/live-list.tsx';
import { PauseButton } from '../../list/pause-button.tsx';
import type { LiveAccount } from '../../live/live-account.ts';
import { query, setQuery } from '../../navigation/location.ts';
import { failures } from '../../shell/page-title.ts';
import { type DeliveryFeed, openDeliveries } from './delivery-feed.ts';
import { deliveryFilter, filterKeys } from './delivery-filter.ts';
import { useDeliveryKeys } from './delivery-keys.ts';
import { DeliveryRow } from './delivery-row.tsx';
import { markOf, marks } from './marked-deliveries.ts';
import { NoDeliveries } from './no-deliveries.tsx';
import { ReplayAll } from './replay-all.tsx';
import { SavedViews } from './saved-views.tsx';
import { SendTest } from './send-test.tsx';
import { hasFailed } from './status-pill.tsx';
import { strings } from './strings.ts';

interface DeliveriesViewProps {
  readonly account: LiveAccount;
  /** The bots whose deliveries are shown. */
  readonly bots: readonly Bot[];
  /** The only one, if the user may call its webhook. */
  readonly own: Bot | undefined;
}
/** How long a failure is in the title. */
const RECENT_MS = 600_000;

/** The deliveries of bots, live, with a filter, and the actions on all deliveries that match it. */
export function DeliveriesView({ account, bots, own }: DeliveriesViewProps) {
  const text = query.value['filter'] ?? '';
  const filter = useMemo(() => deliveryFilter(text, Date.now()), [text]);
  const ids = bots.map(({ user_id }) => user_id);
  const isPaused = useSignal(false);
  const [feed, setFeed] = useState<DeliveryFeed | undefined>(undefined);
  useEffect(() => {
    const opened = openDeliveries(account, { bots: ids, filter });
    setFeed(opened);
    return opened.stop;
  }, [account, ids.join(), filter]);
  return (
    <>
      <div class="deliveries-head">
        <FilterField keys={filterKeys} placeholder={strings.filterPlaceholder} />
        <SavedViews filter={text} />
        <Pause account={account} isPaused={isPaused} />
        {own && <SendTest account={account} bot={own} />}
        {own && filter && <ReplayAll account={account} bot={own} filter={filter} text={text} />}
        <CompareButton />
      </div>
      {feed && (
        <Rows feed={feed} bots={bots} isPaused={isPaused.value} own={own} account={account} />
      )}
    </>
  );
}

interface PauseProps {
  readonly account: LiveAccount;
  readonly isPaused: Signal<boolean>;
}

/** Alone, since every event of the account renders it. */
const Pause = ({ account, isPaused }: PauseProps) => (
  <PauseButton isPaused={isPaused} lastEventAt={account.lastEventAt.value} />
);

interface RowsProps {
  readonly account: LiveAccount;
  readonly feed: DeliveryFeed;
  readonly bots: readonly Bot[];
  readonly own: Bot | undefined;
  readonly isPaused: boolean;
}

function Rows({ account, feed, bots, own, isPaused }: RowsProps) {
  const deliveries = feed.deliveries.value;
  const selected = query.value['delivery'];
  useDeliveryKeys({ account, feed, bots });
  const recent = useComputed(() => {
    const since = now.value - RECENT_MS;
    const all = feed.deliveries.value;
    const end = all.findIndex(({ created_ms }) => created_ms <= since);
    return all.slice(0, end === -1 ? undefined : end).filter(hasFailed).length;
  });
  useSignalEffect(() => {
    failures.value = recent.value;
    return () => (failures.value = 0);
  });
  const names = useMemo(
    () => new Map(bots.map(({ user_id, full_name }) => [user_id, full_name])),
    [bots],
  );
  if (deliveries.length === 0 && feed.isLoading.value) return <ListLoading />;
  return (
    <>
      <ErrorNotice error={feed.error.value} onRetry={feed.retry} />
      {deliveries.length === 0 && feed.error.value === undefined ? (
        <NoDeliveries own={own} account={account} />
      ) : (
        <LiveList
          items={deliveries}
          keyOf={({ id }) => id}
          label={strings.list}
          isPaused={isPaused}
          reveal={selected}
          onEnd={feed.loadOlder}
          render={(delivery) => (
            <DeliveryRow
              delivery={delivery}
              bot={names.get(delivery.bot_id) ?? ''}
              showsBot={bots.length > 1}
              isSelected={delivery.id === selected}
              isMarked={marks.keys.value.includes(markOf(delivery))}
            />
          )}
        />
      )}
    </>
  );
}

/** Compares the two marked deliveries. */
function CompareButton() {
  const marked = marks.keys.value;
  if (marked.length === 0) return null;
  return (
    <span class="row">
      <Button
        icon="columns-2"
        disabled={marked.length < 2}
        onClick={() => setQuery({ compare: marked.join(',') })}
      >
        {marked.length < 2 ? strings.markedCount(marked.length) : strings.compare}
      </Button>
      <IconButton icon="x" label={strings.clearMarks} onClick={marks.clear} />
    </span>
  );
}

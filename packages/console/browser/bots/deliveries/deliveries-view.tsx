import type { Bot } from '@bellhop/protocol';
import { useEffect, useMemo, useState } from 'preact/hooks';

import { shownFilter } from '../../list/shown-filter.ts';
import type { LiveAccount } from '../../live/live-account.ts';
import { escapeKey } from '../../records/opened.ts';
import { Records } from '../../records/records.tsx';
import { type DeliveryFeed, openDeliveries } from './delivery-feed.ts';
import { deliveryFilter } from './delivery-filter.ts';
import { deliveryList, openedDelivery } from './delivery-list.tsx';
import { NoDeliveries } from './no-deliveries.tsx';
import { ReplayAll } from './replay-all.tsx';
import { replayNow } from './replay-now.ts';
import { SendTest } from './send-test.tsx';

interface DeliveriesViewProps {
  readonly account: LiveAccount;
  /** The bots whose deliveries are shown. */
  readonly bots: readonly Bot[];
  /** The only one, if the user may call its webhook. */
  readonly own: Bot | undefined;
}

/** The deliveries of bots, live, with a filter, and the actions on all deliveries that match it. */
export function DeliveriesView({ account, bots, own }: DeliveriesViewProps) {
  const text = shownFilter();
  const filter = useMemo(() => deliveryFilter(text, Date.now()), [text]);
  const ids = bots.map(({ user_id }) => user_id);
  const list = useMemo(
    () => deliveryList(bots),
    [bots.map(({ user_id, full_name }) => `${user_id} ${full_name}`).join('\n')],
  );
  const [feed, setFeed] = useState<DeliveryFeed | undefined>(undefined);
  useEffect(() => {
    const opened = openDeliveries(account, { bots: ids, filter });
    setFeed(opened);
    return opened.stop;
  }, [account, ids.join(), filter]);
  const deliveries = feed?.deliveries.value ?? [];
  const isThere = deliveries.length > 0 || feed?.isLoading.value === false;
  return (
    <Records
      list={list}
      rows={isThere ? deliveries : undefined}
      lastEventAt={account.lastEventAt}
      error={feed?.error.value}
      onRetry={feed?.retry}
      onEnd={feed?.loadOlder}
      tools={
        own && (
          <>
            <SendTest account={account} bot={own} />
            {filter && <ReplayAll account={account} bot={own} filter={filter} text={text} />}
          </>
        )
      }
      empty={<NoDeliveries own={own} account={account} />}
      keys={(current) => [
        {
          keys: 'r',
          label: 'Replay',
          run: () => {
            const delivery = current();
            const bot = bots.find(({ user_id }) => user_id === delivery?.bot_id);
            if (delivery && bot?.owner_id === account.user_id) replayNow(account, delivery);
          },
        },
        escapeKey(openedDelivery, 'Back to the list'),
      ]}
    />
  );
}

import type { Bot } from '@bellhop/protocol';

import { focusedRow, focusRow, rowKeys } from '../../list/row-keys.ts';
import type { LiveAccount } from '../../live/live-account.ts';
import { useKeys } from '../../navigation/keys.ts';
import { query, setQuery } from '../../navigation/location.ts';
import type { DeliveryFeed } from './delivery-feed.ts';
import { markOf, marks } from './marked-deliveries.ts';
import { replayNow } from './replay-now.ts';
import { hasFailed } from './status-pill.tsx';
import { strings } from './strings.ts';

interface KeysOf {
  readonly account: LiveAccount;
  readonly feed: DeliveryFeed;
  readonly bots: readonly Bot[];
}

const selected = () => query.peek()['delivery'];
const closed = { delivery: undefined, of: undefined, compare: undefined };

/** Closes the inspector; the focus returns to its row. */
export function closeInspector(): void {
  const id = selected();
  setQuery(closed);
  if (id !== undefined) focusRow(id);
}

/** The keys of a list of deliveries. */
export function useDeliveryKeys({ account, feed, bots }: KeysOf): void {
  const current = () => {
    const id = focusedRow() ?? selected();
    return feed.deliveries.peek().find((delivery) => delivery.id === id);
  };
  useKeys(strings.keys, [
    ...rowKeys(selected),
    { keys: 'n', label: strings.keyFailed, run: () => goToFailed(feed, current()?.id) },
    {
      keys: 'x',
      label: strings.keyMark,
      run: () => {
        const delivery = current();
        if (delivery) marks.toggle(markOf(delivery));
      },
    },
    {
      keys: 'd',
      label: strings.keyCompare,
      run: () => {
        const marked = marks.keys.peek();
        if (marked.length === 2) setQuery({ compare: marked.join(',') });
      },
    },
    {
      keys: 'r',
      label: strings.keyReplay,
      run: () => {
        const delivery = current();
        const bot = bots.find(({ user_id }) => user_id === delivery?.bot_id);
        if (delivery && bot?.owner_id === account.user_id) replayNow(account, delivery);
      },
    },
    { keys: 'Escape', label: strings.keyClose, run: closeInspector },
  ]);
}

/** Opens the next delivery below a row that failed or whose bot did, or the first one. */
function goToFailed(feed: DeliveryFeed, from: string | undefined): void {
  const all = feed.deliveries.peek();
  const at = all.findIndex(({ id }) => id === from);
  const next = all.slice(at + 1).find(hasFailed) ?? all.find(hasFailed);
  if (!next) return;
  setQuery({ delivery: next.id, of: String(next.bot_id), compare: undefined });
  focusRow(next.id);
}

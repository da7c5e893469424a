import type { BotDelivery, DeliveryId, UserId } from '@bellhop/protocol';
import type { ReadonlySignal } from '@preact/signals';

import type { LiveAccount } from '../../live/live-account.ts';
import { pagedFeed } from '../../loading/paged-feed.ts';
import { type DeliveryFilter, matches } from './delivery-filter.ts';
import { type Changes, mergePages, withChanges } from './merge-deliveries.ts';

/** The deliveries of some bots that match a filter, live. */
export interface DeliveryFeed {
  /** Newest first. */
  readonly deliveries: ReadonlySignal<readonly BotDelivery[]>;
  readonly isLoading: ReadonlySignal<boolean>;
  readonly error: ReadonlySignal<unknown>;
  readonly loadOlder: () => void;
  readonly retry: () => void;
  readonly stop: () => void;
}

interface FeedOptions {
  readonly bots: readonly UserId[];
  /** Undefined matches nothing. */
  readonly filter: DeliveryFilter | undefined;
}

/** The most deliveries that a live list keeps: then the oldest go, and are fetched again when needed. */
const MAX_KEPT = 10_000;
const PAGE = 100;

/** Opens the deliveries of bots. Pages of several bots are merged by time. */
export function openDeliveries(account: LiveAccount, { bots, filter }: FeedOptions): DeliveryFeed {
  const { botDeliveries } = account.client;
  const stopping = new AbortController();
  const feed = pagedFeed<BotDelivery, DeliveryId | undefined, Changes>({
    fetch: async (cursor, signal) => {
      const pages = await Promise.all(
        bots.map((bot_id) => {
          const wanted = { bot_id, ...filter, limit: PAGE, ...(cursor && { cursor }) };
          return botDeliveries.list(wanted, { signal });
        }),
      );
      const { deliveries, next_cursor } = mergePages(pages);
      return { rows: deliveries, before: null, after: next_cursor };
    },
    // Older deliveries come with their page.
    apply: (deliveries, changes, { after }) =>
      withChanges(deliveries, new Map([...changes].filter(([id]) => !after || id >= after))),
    max: { rows: MAX_KEPT, after: ({ id }) => id },
  });
  let changes = new Map<DeliveryId, BotDelivery | undefined>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** All events of one answer change the list once. */
  const put = (id: DeliveryId, delivery: BotDelivery | undefined) => {
    changes.set(id, delivery);
    timer ??= setTimeout(() => {
      timer = undefined;
      feed.change(changes);
      changes = new Map();
    });
  };
  const take = async (delivery: BotDelivery) => {
    if (!filter || !bots.includes(delivery.bot_id)) return;
    if (!matches(delivery, filter)) put(delivery.id, undefined);
    else if (filter.search === undefined || (await isFound(delivery))) put(delivery.id, delivery);
  };
  /** Only the server can search payloads and answers. */
  const isFound = async ({ bot_id, id, created_ms }: BotDelivery): Promise<boolean> => {
    const time = { after_ms: created_ms, before_ms: created_ms + 1 };
    const found = await botDeliveries
      .list({ bot_id, ...filter, ...time }, { signal: stopping.signal })
      .catch(() => undefined);
    return found?.deliveries.some((one) => one.id === id) === true;
  };
  const stopEvents = account.onEvent((event) => {
    if (event.type === 'bot_delivery') void take(event.delivery);
  });
  // The signal calls back at once for the first time.
  const stopResync = account.generation.subscribe(() => {
    if (filter) void feed.open(undefined);
  });
  return {
    deliveries: feed.rows,
    isLoading: feed.isLoading,
    error: feed.error,
    loadOlder: () => void feed.loadAfter(),
    retry: feed.retry,
    stop: () => {
      stopping.abort();
      feed.stop();
      clearTimeout(timer);
      stopEvents();
      stopResync();
    },
  };
}

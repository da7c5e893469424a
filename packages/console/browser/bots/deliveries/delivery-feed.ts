import type { BotDelivery, DeliveryId, UserId } from '@bellhop/protocol';
import { type ReadonlySignal, signal } from '@preact/signals';

import type { LiveAccount } from '../../live/live-account.ts';
import { type DeliveryFilter, matches } from './delivery-filter.ts';
import { mergePages, withChanges } from './merge-deliveries.ts';

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
  const deliveries = signal<readonly BotDelivery[]>([]);
  const isLoading = signal(filter !== undefined);
  const error = signal<unknown>(undefined);
  const stopping = new AbortController();
  const { botDeliveries } = account.client;
  /** Deliveries that events have changed, for the next update of the list. */
  let changes = new Map<DeliveryId, BotDelivery | undefined>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isReplacing = false;
  let cursor: DeliveryId | null = null;
  let failed = () => {};

  const fetchPage = async (isFirst: boolean) => {
    if (!filter) return;
    isLoading.value = true;
    isReplacing = isFirst;
    error.value = undefined;
    failed = () => void fetchPage(isFirst);
    const before = isFirst ? undefined : (cursor ?? undefined);
    const { signal } = stopping;
    try {
      const pages = await Promise.all(
        bots.map((bot_id) => {
          const wanted = { bot_id, ...filter, limit: PAGE, ...(before && { cursor: before }) };
          return botDeliveries.list(wanted, { signal });
        }),
      );
      const merged = mergePages(pages);
      cursor = merged.next_cursor;
      deliveries.value = isFirst ? merged.deliveries : [...deliveries.peek(), ...merged.deliveries];
    } catch (problem) {
      if (!signal.aborted) error.value = problem;
    } finally {
      isLoading.value = false;
      isReplacing = false;
      if (changes.size > 0) update();
    }
  };
  /** Older ones come with their page. */
  const isInRange = (id: DeliveryId) => cursor === null || id >= cursor;
  /**
   * Applies the waiting changes. While a page is being fetched they wait: they are newer than the
   * page.
   */
  const update = () => {
    timer = undefined;
    if (isReplacing) return;
    const all = withChanges(
      deliveries.peek(),
      new Map([...changes].filter(([id]) => isInRange(id))),
    );
    changes = new Map(isLoading.peek() ? [...changes].filter(([id]) => !isInRange(id)) : []);
    if (all.length > MAX_KEPT) cursor = all[MAX_KEPT - 1]?.id ?? null;
    deliveries.value = all.slice(0, MAX_KEPT);
  };
  /** All events of one answer change the list once. */
  const put = (id: DeliveryId, delivery: BotDelivery | undefined) => {
    changes.set(id, delivery);
    timer ??= setTimeout(update);
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
  const stopResync = account.generation.subscribe(() => void fetchPage(true));
  return {
    deliveries,
    isLoading,
    error,
    loadOlder: () => {
      if (cursor !== null && !isLoading.peek()) void fetchPage(false);
    },
    retry: () => failed(),
    stop: () => {
      stopping.abort();
      clearTimeout(timer);
      stopEvents();
      stopResync();
    },
  };
}

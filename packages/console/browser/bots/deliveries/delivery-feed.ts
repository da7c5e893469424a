import type { BotDelivery, DeliveryId, UserId } from '@bellhop/protocol';
import { type ReadonlySignal, signal } from '@preact/signals';

import type { LiveAccount } from '../../live/live-account.ts';
import { type DeliveryFilter, matches } from './delivery-filter.ts';
import { mergePages, withDelivery } from './merge-deliveries.ts';

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

/** The most deliveries that are kept: after hours the oldest go, and are fetched again when needed. */
const MAX_KEPT = 12_000;
const CUT_TO = 10_000;
const PAGE = 100;

/** Opens the deliveries of bots. Pages of several bots are merged by time. */
export function openDeliveries(account: LiveAccount, { bots, filter }: FeedOptions): DeliveryFeed {
  const deliveries = signal<readonly BotDelivery[]>([]);
  const isLoading = signal(filter !== undefined);
  const error = signal<unknown>(undefined);
  const stopping = new AbortController();
  const { botDeliveries } = account.client;
  /**
   * Deliveries that events changed while a page was fetched: the events are newer than the page.
   */
  let touched = new Map<DeliveryId, BotDelivery | undefined>();
  let cursor: DeliveryId | null = null;
  let failed = () => {};

  const fetchPage = async (isFirst: boolean) => {
    if (!filter) return;
    isLoading.value = true;
    error.value = undefined;
    failed = () => void fetchPage(isFirst);
    touched = new Map();
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
      let all: readonly BotDelivery[] = isFirst
        ? merged.deliveries
        : [...deliveries.peek(), ...merged.deliveries];
      for (const [id, delivery] of touched)
        if (isInRange(id)) all = withDelivery(all, id, delivery);
      deliveries.value = all;
    } catch (problem) {
      if (!signal.aborted) error.value = problem;
    } finally {
      isLoading.value = false;
    }
  };
  /** Older ones come with their page. */
  const isInRange = (id: DeliveryId) => cursor === null || id >= cursor;
  const put = (id: DeliveryId, delivery: BotDelivery | undefined) => {
    touched.set(id, delivery);
    if (!isInRange(id)) return;
    const all = withDelivery(deliveries.peek(), id, delivery);
    if (all.length <= MAX_KEPT) deliveries.value = all;
    else {
      deliveries.value = all.slice(0, CUT_TO);
      cursor = all[CUT_TO - 1]?.id ?? null;
    }
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
  // Calls at once for the first time.
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
      stopEvents();
      stopResync();
    },
  };
}

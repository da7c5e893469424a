import type { BotDelivery, DeliveryId } from '@bellhop/protocol';

interface Page {
  readonly deliveries: readonly BotDelivery[];
  /** Null after the last page. */
  readonly next_cursor: DeliveryId | null;
}

/** Later IDs are greater: they begin with the time. */
const byAge = (a: BotDelivery, b: BotDelivery) => (a.id < b.id ? 1 : -1);

/**
 * Merges the pages of several bots into one page, newest first. It ends at the first end of a page
 * that is not the last one of its bot: older deliveries of the other bots come with the next page.
 */
export function mergePages(pages: readonly Page[]): Page {
  const [end] = pages
    .flatMap(({ next_cursor }) => next_cursor ?? [])
    .toSorted()
    .toReversed();
  const all = pages.flatMap(({ deliveries }) => deliveries).toSorted(byAge);
  return {
    deliveries: end === undefined ? all : all.filter(({ id }) => id >= end),
    next_cursor: end ?? null,
  };
}

/** The list with a delivery at its place, or without the one with this ID. */
export function withDelivery(
  all: readonly BotDelivery[],
  id: DeliveryId,
  delivery: BotDelivery | undefined,
): readonly BotDelivery[] {
  const at = placeOf(all, id);
  const isThere = all[at]?.id === id;
  if (!delivery) return isThere ? all.toSpliced(at, 1) : all;
  return isThere ? all.with(at, delivery) : all.toSpliced(at, 0, delivery);
}

/** The place of an ID in a list, newest first. */
function placeOf(all: readonly BotDelivery[], id: DeliveryId): number {
  let [from, to] = [0, all.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    const one = all[middle];
    if (one && one.id > id) from = middle + 1;
    else to = middle;
  }
  return from;
}

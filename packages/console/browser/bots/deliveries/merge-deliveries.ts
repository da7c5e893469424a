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

/** Deliveries by ID; undefined removes the delivery from the list. */
export type Changes = ReadonlyMap<DeliveryId, BotDelivery | undefined>;

/** The list with each changed delivery at its place. */
export function withChanges(all: readonly BotDelivery[], changes: Changes): readonly BotDelivery[] {
  const list = [...all];
  for (const [id, delivery] of changes) {
    const at = placeOf(list, id);
    const known = list[at]?.id === id ? 1 : 0;
    list.splice(at, known, ...(delivery ? [delivery] : []));
  }
  return list;
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

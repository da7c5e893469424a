import { NEWEST_ANCHOR } from '@bellhop/protocol';

import * as queries from '../queries.ts';
import { type AnchoredRange, fetchPage, lackingSides, type ReadRow } from './fetch-page.ts';
import type { CompiledNarrow } from './narrow/compile-narrow.ts';
import type { NarrowContext } from './narrow/narrow-term.ts';

/** The ids on either side of the anchor that a search compares. */
const NEARBY = 4000;
/** Matches next to the anchor that are looked up for each message of a page, and how much more each time. */
const MATCHES_PER_MESSAGE = 4;
const MORE = 8;

/** The page of a search. */
export const searchPage = async (
  context: NarrowContext,
  narrow: CompiledNarrow,
  range: AnchoredRange,
): Promise<ReadRow[]> =>
  (await searchNearby(context, narrow, range)) ?? searchMatches(context, narrow, range);

/**
 * The page of a search, if the messages next to the anchor fill it; else undefined. The index of words
 * finds all matches of the realm, which takes the longer the more there are: a page of a frequent word
 * is complete without it.
 */
async function searchNearby(
  context: NarrowContext,
  narrow: CompiledNarrow,
  range: AnchoredRange,
): Promise<ReadRow[] | undefined> {
  const anchor =
    range.anchor === NEWEST_ANCHOR
      ? (await queries.newestOfRealm(context.db, context.realm.id)) + 1
      : range.anchor;
  const rows = await fetchPage(context, narrow, { ...range, anchor, within: NEARBY });
  return isFull(rows, { ...range, anchor }) ? rows : undefined;
}

/**
 * The page of a search from all matches of the realm: looks up those next to the anchor, and more as long as
 * the reader may not read enough of them.
 */
async function searchMatches(
  context: NarrowContext,
  narrow: CompiledNarrow,
  range: AnchoredRange,
): Promise<ReadRow[]> {
  const { search } = narrow;
  const { num_before, num_after } = range;
  const matches = await search?.matches();
  const middle = matches?.filter((id) => id < range.anchor).length ?? 0;
  for (let times = MATCHES_PER_MESSAGE; ; times *= MORE) {
    const before = Math.min(middle, num_before * times);
    const after = Math.min((matches?.length ?? 0) - middle, 1 + num_after * times);
    const some = matches?.slice(middle - before, middle + after);
    const rows = await fetchPage(context, { ...narrow, search: search?.among(some) }, range);
    const isAll =
      (num_before === 0 || before === middle) &&
      (num_after === 0 || middle + after === matches?.length);
    if (some === undefined || isAll || isFull(rows, range)) return rows;
  }
}

function isFull(rows: readonly ReadRow[], range: AnchoredRange): boolean {
  const { older, newer } = lackingSides(rows, range);
  return !older && !newer;
}

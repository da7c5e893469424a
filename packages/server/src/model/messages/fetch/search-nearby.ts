import { NEWEST_ANCHOR } from '@bellhop/protocol';

import * as queries from '../queries.ts';
import { fetchPage, type ReadRow } from './fetch-page.ts';
import type { CompiledNarrow } from './narrow/compile-narrow.ts';
import type { NarrowContext } from './narrow/narrow-term.ts';

/** The ids on either side of the anchor that a search compares. */
const NEARBY = 4000;

interface AnchoredRange {
  readonly anchor: number;
  readonly include_anchor: boolean;
  readonly num_before: number;
  readonly num_after: number;
}

/**
 * The page of a search, if the messages next to the anchor fill it; else undefined. The index of words
 * finds all matches of the realm, which takes the longer the more there are: a page of a frequent word
 * is complete without it.
 */
export async function searchNearby(
  context: NarrowContext,
  narrow: CompiledNarrow,
  range: AnchoredRange,
): Promise<ReadRow[] | undefined> {
  const anchor =
    range.anchor === NEWEST_ANCHOR
      ? (await queries.newestOfRealm(context.db, context.realm.id)) + 1
      : range.anchor;
  const rows = await fetchPage(context, narrow, { ...range, anchor, within: NEARBY });
  const before = rows.filter(({ id }) => id < anchor).length;
  const after = rows.filter(({ id }) => id > anchor).length;
  const isFull = before === range.num_before && after === range.num_after;
  return isFull ? rows : undefined;
}

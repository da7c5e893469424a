import { badRequest, NEWEST_ANCHOR } from '@bellhop/protocol';

export type Anchor = number | 'first_unread';

interface Asked {
  readonly anchor?: number | bigint | string | undefined;
  readonly use_first_unread_anchor: boolean;
}

/**
 * Where a range of messages is anchored: 0 for the oldest, NEWEST_ANCHOR for the newest. Negative
 * numbers are the oldest, huge ones the newest. Throws BAD_REQUEST.
 */
export function anchorOf({ anchor, use_first_unread_anchor }: Asked): Anchor {
  if (use_first_unread_anchor || anchor === 'first_unread') return 'first_unread';
  if (anchor === undefined) throw badRequest("Missing 'anchor' argument.");
  if (anchor === 'oldest') return 0;
  if (anchor === 'newest') return NEWEST_ANCHOR;
  if (!/^-?\d+$/.test(digitsOf(anchor))) throw badRequest('Invalid anchor');
  return Math.min(Math.max(Number(anchor), 0), NEWEST_ANCHOR);
}

const digitsOf = (anchor: number | bigint | string): string =>
  typeof anchor === 'number' && Number.isInteger(anchor)
    ? BigInt(anchor).toString()
    : String(anchor).trim();

import { badRequest, NEWEST_ANCHOR } from '@bellhop/protocol';

export type Anchor = number | 'first_unread';

interface AnchorParams {
  readonly anchor?: number | string | undefined;
  readonly use_first_unread_anchor: boolean;
}

/**
 * The anchor of a range of messages, limited to 0 (the oldest message) and NEWEST_ANCHOR (the newest).
 * Throws BAD_REQUEST.
 */
export function anchorOf({ anchor, use_first_unread_anchor }: AnchorParams): Anchor {
  if (use_first_unread_anchor || anchor === 'first_unread') return 'first_unread';
  if (anchor === undefined) throw badRequest("Missing 'anchor' argument.");
  if (anchor === 'oldest') return 0;
  if (anchor === 'newest') return NEWEST_ANCHOR;
  const id = anchor === '' ? Number.NaN : Number(anchor);
  if (!Number.isInteger(id)) throw badRequest('Invalid anchor');
  return Math.min(Math.max(id, 0), NEWEST_ANCHOR);
}

import { z } from 'zod';

import { MAX_WORD_LENGTH } from '../../values/limits.ts';
import { badRequest } from '../../wire/errors.ts';

/** How many messages one request may fetch, or change the flags of by a narrow. */
export const MAX_FETCHED = 5000;

/** The anchor that stands for the newest message, also returned if no message is unread. */
export const NEWEST_ANCHOR = 10_000_000_000_000_000;

/** A larger anchor counts as NEWEST_ANCHOR. */
const MAX_ANCHOR = 10n ** 30n;

/** A message ID or NEWEST_ANCHOR, which is wider than 2^53 and therefore read as a `bigint`. */
export const AnchorId = z.union([
  z.number().max(Number(MAX_ANCHOR)),
  z.bigint().max(MAX_ANCHOR).transform(Number),
]);

/** The end of a range of messages, in the forms that clients send. */
export const Anchor = z
  .union([AnchorId, z.string().max(MAX_WORD_LENGTH)])
  .meta({ description: 'A message ID, or newest, oldest, first_unread' });

export interface AnchorParams {
  readonly anchor?: number | string | undefined;
  readonly use_first_unread_anchor: boolean;
}

/**
 * The anchor of a range of messages, limited to 0 (the oldest message) and NEWEST_ANCHOR (the newest).
 * Throws BAD_REQUEST.
 */
export function anchorOf({
  anchor,
  use_first_unread_anchor,
}: AnchorParams): number | 'first_unread' {
  if (use_first_unread_anchor || anchor === 'first_unread') return 'first_unread';
  if (anchor === undefined) throw badRequest("Missing 'anchor' argument.");
  if (anchor === 'oldest') return 0;
  if (anchor === 'newest') return NEWEST_ANCHOR;
  const id = anchor === '' ? Number.NaN : Number(anchor);
  if (!Number.isInteger(id)) throw badRequest('Invalid anchor');
  return Math.min(Math.max(id, 0), NEWEST_ANCHOR);
}

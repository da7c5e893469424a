import { badRequest, type Endpoint, MAX_IDEMPOTENCY_KEY_LENGTH } from '@bellhop/protocol';

import type { Exchange } from './exchange.ts';

/**
 * The header `Idempotency-Key`; undefined if the endpoint takes none or the client sent none. Throws
 * BAD_REQUEST unless it is 1 to 255 printable characters of ASCII.
 */
export function idempotencyKeyOf(
  { hasIdempotencyKey }: Endpoint,
  exchange: Exchange,
): string | undefined {
  const key = hasIdempotencyKey ? exchange.header('idempotency-key') : undefined;
  if (key === undefined) return undefined;
  if (/^[\x20-\x7e]+$/.test(key) && key.length <= MAX_IDEMPOTENCY_KEY_LENGTH) return key;
  throw badRequest(
    `The header Idempotency-Key must be 1 to ${MAX_IDEMPOTENCY_KEY_LENGTH} printable characters of ASCII`,
  );
}

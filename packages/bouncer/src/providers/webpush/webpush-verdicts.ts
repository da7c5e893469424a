import { parseRetryAfter } from '@bellhop/protocol/bouncer';

import {
  configError,
  dead,
  type Refusal,
  rejected,
  retryAfter,
  type VerdictTable,
} from '../provider-verdict.ts';

/** Push services have no codes in common: the HTTP status decides (RFC 8030, RFC 8292). */
export const webPushVerdicts: VerdictTable = {
  byReason: {},
  byStatus: {
    400: rejected,
    // The push service does not accept the VAPID key or its token.
    401: configError,
    403: configError,
    404: dead,
    410: dead,
    413: rejected,
    429: retryAfter(60, 120, 240, 480),
  },
  serverError: retryAfter(1, 2, 4, 8, 16, 32, 60, 120),
};

interface WebPushResponse {
  readonly status: number;
  readonly headers: { readonly 'retry-after'?: string | undefined };
}

/** Reads an answer other than 2xx. */
export const readWebPushRefusal = (
  { status, headers }: WebPushResponse,
  nowMs: number,
): Refusal => ({
  status,
  reason: undefined,
  retryAfter: parseRetryAfter(headers['retry-after'], nowMs),
});

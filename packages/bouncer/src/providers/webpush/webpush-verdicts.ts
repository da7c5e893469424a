import type { OutboundResponse } from '@bellhop/http/outbound';
import { parseRetryAfter } from '@bellhop/protocol/bouncer';

import { joinTexts, shortText, textIn } from '../provider-text.ts';
import {
  configError,
  dead,
  type Refusal,
  rejected,
  retryAfter,
  type VerdictTable,
} from '../provider-verdict.ts';

const throttled = retryAfter(60, 120, 240, 480);

/** Push services have no codes in common: the HTTP status decides (RFC 8030, RFC 8292). */
export const webPushVerdicts: VerdictTable = {
  byReason: {},
  byStatus: {
    400: rejected,
    // The push service does not accept the VAPID key or its token.
    401: configError,
    403: configError,
    404: dead,
    // Windows calls a throttled caller so, with Retry-After.
    406: throttled,
    410: dead,
    413: rejected,
    429: throttled,
  },
  serverError: retryAfter(1, 2, 4, 8, 16, 32, 60, 120),
};

type WebPushResponse = Pick<OutboundResponse, 'status' | 'headers' | 'body'>;

/** What Apple and Google say with status 400 about a subscription that was made with another VAPID key. */
const OTHER_KEY = /VapidPkHashMismatch|UnauthorizedRegistration/;

/** Reads an answer other than 2xx. */
export function readWebPushRefusal(response: WebPushResponse, nowMs: number): Refusal {
  const said = textOf(response);
  return {
    status: response.status,
    reason: undefined,
    said,
    rule: response.status === 400 && OTHER_KEY.test(said ?? '') ? configError : undefined,
    retryAfter: parseRetryAfter(response.headers['retry-after'], nowMs),
  };
}

/**
 * Windows answers 2xx also if it does not pass the notification on. Undefined if it does.
 */
export function readUndelivered(response: WebPushResponse, nowMs: number): Refusal | undefined {
  const { headers } = response;
  const states = [headers['x-wns-status'], headers['x-wns-notificationstatus']].map((state) =>
    String(state ?? '').toLowerCase(),
  );
  const state = states.find((one) => ['dropped', 'channelthrottled'].includes(one));
  if (state === undefined) return undefined;
  const rule = state === 'dropped' ? rejected : throttled;
  return { ...readWebPushRefusal(response, nowMs), reason: state, rule };
}

/**
 * What the push service says: Apple a `reason` (BadJwtToken), Mozilla `errno`, `error` and `message`,
 * Windows a header, Google plain text.
 */
function textOf({ headers, body }: WebPushResponse): string | undefined {
  const described = joinTexts(
    textIn(headers['x-wns-error-description']),
    textIn(headers['x-wns-notificationstatus']),
  );
  const isReadable = (headers['content-encoding'] ?? 'identity') === 'identity';
  const text = isReadable ? body.subarray(0, 8_192).toString('utf8') : '';
  try {
    const { errno, reason, error, message } = JSON.parse(text) as Record<string, unknown>;
    const number = typeof errno === 'number' ? `errno ${errno}` : undefined;
    return joinTexts(described, number, textIn(reason), textIn(error), textIn(message));
  } catch {
    return joinTexts(described, shortText(text));
  }
}

import { parseRetryAfter } from '@bellhop/protocol/bouncer';

import type { H2Answer } from '../../http2/pending-request.ts';
import { shortText } from '../provider-text.ts';
import {
  configError,
  dead,
  deadHere,
  mismatched,
  quarantined,
  type Refusal,
  rejected,
  retryAfter,
  type VerdictTable,
} from '../provider-verdict.ts';

// Apple asks to wait 15 minutes after a 5xx. A hiccup of one of its machines is far more common
// than an outage, so the first retry comes early.
const serverError = retryAfter(1, 900);
const tooManyRequests = retryAfter(2, 10, 60, 300);

/** Every reason that Apple documents, and UnrelatedKeyIdInToken, which it does not. */
export const apnsVerdicts: VerdictTable = {
  byReason: {
    Unregistered: dead,
    ExpiredToken: dead,
    // A token of a development build in production, or of a production build in the sandbox.
    BadDeviceToken: deadHere,
    DeviceTokenNotForTopic: mismatched,
    // The phone chose the topic: its ios_app_id is not an app of this team.
    TopicDisallowed: quarantined,
    BadTopic: quarantined,
    BadCollapseId: rejected,
    BadExpirationDate: rejected,
    BadMessageId: rejected,
    BadPriority: rejected,
    DuplicateHeaders: rejected,
    InvalidPushType: rejected,
    MissingDeviceToken: rejected,
    MissingTopic: rejected,
    PayloadEmpty: rejected,
    PayloadTooLarge: rejected,
    BadPath: rejected,
    MethodNotAllowed: rejected,
    BadCertificate: configError,
    BadCertificateEnvironment: configError,
    Forbidden: configError,
    InvalidProviderToken: configError,
    MissingProviderToken: configError,
    UnrelatedKeyIdInToken: configError,
    BadEnvironmentKeyIdInToken: configError,
    BadEnvironmentKeyInToken: configError,
    IdleTimeout: retryAfter(0, 1, 5, 30),
    ExpiredProviderToken: retryAfter(0, 60, 300),
    TooManyProviderTokenUpdates: retryAfter(60, 300),
    TooManyRequests: tooManyRequests,
    InternalServerError: serverError,
    ServiceUnavailable: serverError,
    Shutdown: retryAfter(0.2, 1, 900),
  },
  byStatus: { 401: configError, 403: configError, 410: dead, 429: tooManyRequests },
  serverError,
};

/** Reads an answer other than 200. */
export function readApnsRefusal({ status, headers, body }: H2Answer, nowMs: number): Refusal {
  const { reason, timestamp } = readBody(body);
  return {
    status,
    reason,
    said: reason === undefined ? shortText(body) : undefined,
    since: timestamp,
    retryAfter: parseRetryAfter(headers['retry-after'], nowMs),
  };
}

function readBody(body: string): { reason: string | undefined; timestamp: number | undefined } {
  try {
    const { reason, timestamp } = JSON.parse(body) as Record<string, unknown>;
    return {
      reason: typeof reason === 'string' ? reason.slice(0, 100) : undefined,
      timestamp: typeof timestamp === 'number' ? timestamp : undefined,
    };
  } catch {
    return { reason: undefined, timestamp: undefined };
  }
}

import { parseRetryAfter } from '@bellhop/protocol/bouncer';

import type { H2Answer } from '../../http2/pending-request.ts';
import { shortText, textIn } from '../provider-text.ts';
import {
  configError,
  dead,
  mismatched,
  quarantined,
  type Refusal,
  rejected,
  retryAfter,
  type VerdictRule,
  type VerdictTable,
} from '../provider-verdict.ts';

const serverError = retryAfter(1, 2, 4, 8, 16, 32, 60, 120);
// Google asks for a minute at least; its Retry-After may be shorter.
const quota = { delays: [60, 120, 240, 480], shortest: 60 };
const projectQuota: VerdictRule = { kind: 'overloaded', ...quota };
const deviceQuota: VerdictRule = { kind: 'retry', ...quota };

export const fcmVerdicts: VerdictTable = {
  /**
   * FCM's own codes. INVALID_ARGUMENT is `dead` if it is about the token, and QUOTA_EXCEEDED is about
   * one device if the answer says so: see readFcmRefusal. THIRD_PARTY_AUTH_ERROR is about an iPhone
   * or browser that registered with FCM; Android phones do not need that credential.
   */
  byReason: {
    UNREGISTERED: dead,
    INVALID_ARGUMENT: rejected,
    SENDER_ID_MISMATCH: mismatched,
    QUOTA_EXCEEDED: projectQuota,
    UNAVAILABLE: serverError,
    INTERNAL: serverError,
    UNSPECIFIED_ERROR: serverError,
    THIRD_PARTY_AUTH_ERROR: quarantined,
    APNS_AUTH_ERROR: quarantined,
  },
  /** A 404 or 400 without a code gives no verdict on the token. */
  byStatus: {
    400: rejected,
    401: configError,
    403: configError,
    404: configError,
    429: projectQuota,
  },
  serverError,
};

interface ErrorBody {
  readonly error?: {
    readonly status?: string;
    readonly message?: unknown;
    readonly details?: readonly {
      readonly errorCode?: string;
      readonly fieldViolations?: readonly { readonly field?: string }[];
      readonly violations?: readonly { readonly subject?: string; readonly description?: string }[];
    }[];
  };
}

export interface FcmRefusal extends Refusal {
  /** Google did not accept the access token; it may accept a new one. */
  readonly isUnauthenticated: boolean;
}

/** Reads an answer other than 200. The order of the details varies; the body may not be JSON. */
export function readFcmRefusal(response: H2Answer, nowMs: number): FcmRefusal {
  const { status, headers } = response;
  const error = readError(response.body);
  const given = Array.isArray(error?.details) ? error.details : [];
  const details = given.filter((detail) => typeof detail === 'object' && detail !== null);
  const code = details.find(({ errorCode }) => typeof errorCode === 'string')?.errorCode;
  const isTokenInvalid = details.some(
    ({ fieldViolations }) =>
      Array.isArray(fieldViolations) &&
      fieldViolations.some((violation) => violation?.field === 'message.token'),
  );
  const isDeviceQuota = details.some(
    ({ violations }) =>
      Array.isArray(violations) &&
      violations.some(
        (violation) =>
          !/^project/i.test(violation?.subject ?? '') &&
          /device|topic/i.test(`${violation?.subject} ${violation?.description}`),
      ),
  );
  const ruleOfDetails = () => {
    if (status === 400 && isTokenInvalid) return dead;
    return status === 429 && isDeviceQuota ? deviceQuota : undefined;
  };
  return {
    status,
    reason: textIn(code ?? error?.status),
    said: error ? textIn(error.message) : shortText(response.body),
    rule: ruleOfDetails(),
    retryAfter: parseRetryAfter(headers['retry-after'], nowMs),
    isUnauthenticated: status === 401 && code === undefined,
  };
}

function readError(body: string): ErrorBody['error'] {
  try {
    return (JSON.parse(body) as ErrorBody).error;
  } catch {
    return undefined;
  }
}

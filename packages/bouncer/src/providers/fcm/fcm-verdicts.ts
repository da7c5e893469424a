import { parseRetryAfter } from '@bellhop/protocol';

import type { H2Response } from '../../http2/exchange.ts';
import {
  configError,
  dead,
  judge,
  quarantined,
  rejected,
  retryAfter,
  type Rule,
  type Verdict,
} from '../verdict.ts';

const serverTrouble = retryAfter(1, 2, 4, 8, 16, 32, 60, 120);
const quota = retryAfter(60, 120, 240, 480);

/** By FCM's own error code. INVALID_ARGUMENT is about the token in one case only, see below. */
export const fcmRules: Readonly<Record<string, Rule>> = {
  UNREGISTERED: dead,
  INVALID_ARGUMENT: rejected,
  SENDER_ID_MISMATCH: quarantined,
  QUOTA_EXCEEDED: quota,
  UNAVAILABLE: serverTrouble,
  INTERNAL: serverTrouble,
  UNSPECIFIED_ERROR: serverTrouble,
  THIRD_PARTY_AUTH_ERROR: configError,
  APNS_AUTH_ERROR: configError,
};

/** By HTTP status, where FCM gives no code: a bare 404 or 400 says nothing about the token. */
const byStatus: Readonly<Record<number, Rule>> = {
  400: rejected,
  401: configError,
  403: configError,
  404: configError,
  429: quota,
};

interface ErrorBody {
  readonly error?: {
    readonly status?: string;
    readonly details?: readonly {
      readonly errorCode?: string;
      readonly fieldViolations?: readonly { readonly field?: string }[];
    }[];
  };
}

export interface FcmJudgement {
  readonly verdict: Verdict;
  /** Google did not accept our access token; another one may do. */
  readonly unauthenticated: boolean;
}

/** FCM's answer as a verdict. The order of the details varies; the body may be no JSON at all. */
export function judgeFcm(response: H2Response, attempt: number, nowMs: number): FcmJudgement {
  if (response.status === 200) return { verdict: { kind: 'accepted' }, unauthenticated: false };
  const error = readError(response.body);
  const details = Array.isArray(error?.details) ? error.details : [];
  const code = details.find(({ errorCode }) => typeof errorCode === 'string')?.errorCode;
  const badToken = details.some(
    ({ fieldViolations }) =>
      Array.isArray(fieldViolations) &&
      fieldViolations.some((violation) => violation?.field === 'message.token'),
  );
  const rule =
    response.status === 400 && badToken ? dead : ruleFor(response.status, code ?? error?.status);
  const verdict = judge(rule, code ?? error?.status ?? `status ${response.status}`, {
    attempt,
    retryAfter: parseRetryAfter(response.headers['retry-after'], nowMs),
  });
  return { verdict, unauthenticated: response.status === 401 && code === undefined };
}

function ruleFor(status: number, code: string | undefined): Rule {
  const rule = code !== undefined && Object.hasOwn(fcmRules, code) ? fcmRules[code] : undefined;
  return rule ?? byStatus[status] ?? (status >= 500 ? serverTrouble : rejected);
}

function readError(body: string): ErrorBody['error'] {
  try {
    return (JSON.parse(body) as ErrorBody).error;
  } catch {
    return undefined;
  }
}

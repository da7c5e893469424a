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

// Apple asks to wait 15 minutes after a 5xx; one machine's hiccup is far more common than an
// outage, so the first attempt comes early.
const serverTrouble = retryAfter(1, 900);

/** Every reason Apple documents, and one it sends without documenting it. */
export const apnsRules: Readonly<Record<string, Rule>> = {
  Unregistered: dead,
  ExpiredToken: dead,
  BadDeviceToken: dead,
  DeviceTokenNotForTopic: quarantined,
  BadCollapseId: rejected,
  BadExpirationDate: rejected,
  BadMessageId: rejected,
  BadPriority: rejected,
  BadTopic: rejected,
  DuplicateHeaders: rejected,
  InvalidPushType: rejected,
  MissingDeviceToken: rejected,
  MissingTopic: rejected,
  PayloadEmpty: rejected,
  PayloadTooLarge: rejected,
  BadPath: rejected,
  MethodNotAllowed: rejected,
  TopicDisallowed: configError,
  BadCertificate: configError,
  BadCertificateEnvironment: configError,
  Forbidden: configError,
  InvalidProviderToken: configError,
  MissingProviderToken: configError,
  UnrelatedKeyIdInToken: configError,
  BadEnvironmentKeyIdInToken: configError,
  BadEnvironmentKeyInToken: configError,
  IdleTimeout: retryAfter(0, 1, 5, 30),
  ExpiredProviderToken: { kind: 'retry', delays: [0, 60, 300], first: 'renew_token' },
  TooManyProviderTokenUpdates: { kind: 'retry', delays: [60, 300], first: 'retire_connection' },
  TooManyRequests: retryAfter(2, 10, 60, 300),
  InternalServerError: serverTrouble,
  ServiceUnavailable: serverTrouble,
  Shutdown: retryAfter(0.2, 1, 900),
};

function ruleFor(status: number, reason: string): Rule {
  const rule = Object.hasOwn(apnsRules, reason) ? apnsRules[reason] : undefined;
  if (rule) return rule;
  if (status === 410) return dead;
  if (status === 429) return retryAfter(2, 10, 60, 300);
  if (status >= 500) return serverTrouble;
  return status === 401 || status === 403 ? configError : rejected;
}

export interface ApnsJudgement {
  readonly verdict: Verdict;
  readonly first: 'renew_token' | 'retire_connection' | undefined;
}

/** Apple's answer as a verdict, and what is to be done before trying again. */
export function judgeApns(response: H2Response, attempt: number, nowMs: number): ApnsJudgement {
  if (response.status === 200) return { verdict: { kind: 'accepted' }, first: undefined };
  const { reason, timestamp } = readBody(response.body);
  const rule = ruleFor(response.status, reason ?? '');
  const verdict = judge(rule, reason ?? `status ${response.status}`, {
    attempt,
    retryAfter: parseRetryAfter(response.headers['retry-after'], nowMs),
    since: timestamp,
  });
  return { verdict, first: rule.kind === 'retry' ? rule.first : undefined };
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

import type { PushEnvironment } from '../storage/tables.ts';
import { failureText, joinTexts } from './provider-text.ts';

/**
 * The meaning of a provider's answer for one notification and its device.
 * - `accepted`: `providerId` is the provider's name for the notification, if it told one.
 * - `dead`: the token is invalid for good; `since` (ms) is when the provider learned it, if known.
 *   `isOnlyHere`: it may be valid in the provider's other environment.
 * - `retry`: the provider cannot take this notification now; `after` is in seconds. `cause`: why it
 *   waits longer than others before it is given up. `broken`: for a repair of credentials or clock;
 *   `doubted`: for proof that the provider, which calls the device dead, takes notifications at all.
 * - `quarantined`: the token belongs to another app. The device is kept but skipped for an hour.
 *   `isMismatch`: this is a property of the token, and may mean that the sender is the wrong one.
 * - `rejected`: the provider will never accept this notification; the device is fine.
 * - `unconfigured`: the bouncer has no credentials for the provider.
 */
export type NotificationVerdict =
  | { readonly kind: 'accepted'; readonly providerId: string | undefined }
  | {
      readonly kind: 'dead';
      readonly reason: string;
      readonly since?: number | undefined;
      readonly isOnlyHere?: boolean;
    }
  | RetryVerdict
  | { readonly kind: 'quarantined'; readonly reason: string; readonly isMismatch?: boolean }
  | { readonly kind: 'rejected' | 'unconfigured'; readonly reason: string };
export interface RetryVerdict {
  readonly kind: 'retry';
  readonly reason: string;
  readonly after: number;
  readonly cause?: 'broken' | 'doubted' | undefined;
  /** The environment whose pause it waits for. */
  readonly pause?: PushEnvironment;
}

/**
 * As a NotificationVerdict, or perhaps about all notifications of the app: so it is with
 * `isAboutAll`, or when several devices are told the same. An answer to the request of one device may
 * be about this device only.
 * - `overloaded`: the provider takes none now; `after` is in seconds.
 * - `config_error`: the provider takes none until the operator has mended what `at` names: the
 *   configuration (credentials, environment, permissions) or this machine's clock.
 */
export type ProviderVerdict = NotificationVerdict | SenderVerdict;
export type SenderVerdict = { readonly reason: string; readonly isAboutAll?: boolean } & (
  | { readonly kind: 'overloaded'; readonly after: number }
  | { readonly kind: 'config_error'; readonly at?: 'clock' | undefined }
);

/**
 * - `delays`: seconds to wait after the first, second, ... attempt; the last one repeats.
 * - `shortest`: seconds that a `Retry-After` is lengthened to, at least.
 */
export type VerdictRule =
  | { readonly kind: 'rejected' | 'config_error' }
  | { readonly kind: 'quarantined'; readonly isMismatch?: boolean }
  | { readonly kind: 'dead'; readonly isOnlyHere?: boolean }
  | {
      readonly kind: 'retry' | 'overloaded';
      readonly delays: readonly number[];
      readonly shortest?: number;
    };

export const dead: VerdictRule = { kind: 'dead' };
export const deadHere: VerdictRule = { kind: 'dead', isOnlyHere: true };
export const quarantined: VerdictRule = { kind: 'quarantined' };
export const mismatched: VerdictRule = { kind: 'quarantined', isMismatch: true };
export const rejected: VerdictRule = { kind: 'rejected' };
export const configError: VerdictRule = { kind: 'config_error' };
export const retryAfter = (...delays: number[]): VerdictRule => ({ kind: 'retry', delays });

export interface VerdictTable {
  /** Rules by the provider's own code. */
  readonly byReason: Readonly<Record<string, VerdictRule>>;
  /** Rules by HTTP status, for an answer without a known code. */
  readonly byStatus: Readonly<Record<number, VerdictRule>>;
  /** The rule for other statuses that ask for a repetition. Further statuses are `rejected`. */
  readonly serverError: VerdictRule;
}

/** A provider's answer other than 200. */
export interface Refusal {
  readonly status: number;
  /** The provider's code; undefined if the body has none. */
  readonly reason: string | undefined;
  /** What the provider says beside its code, short. */
  readonly said?: string | undefined;
  /** Overrides the table. */
  readonly rule?: VerdictRule | undefined;
  /** When the token became invalid, UNIX milliseconds. */
  readonly since?: number | undefined;
  /** Seconds, as the `Retry-After` header asks. */
  readonly retryAfter?: number | undefined;
}

/** Applies a provider's table to its answer to attempt number `attempt`, from 0. */
export type Judge = (refusal: Refusal, attempt: number) => ProviderVerdict;

export const judgeBy =
  (table: VerdictTable): Judge =>
  (refusal, attempt) => {
    const code = refusal.reason ?? `status ${refusal.status}`;
    const reason = joinTexts(code, refusal.said) ?? code;
    const rule = refusal.rule ?? ruleFor(table, refusal);
    if (rule.kind === 'dead') return { ...rule, reason, since: refusal.since };
    if (!('delays' in rule)) return { ...rule, reason };
    const asked = refusal.retryAfter;
    const shortest = Math.max(rule.shortest ?? 0, delayOf(SHORTEST_DELAYS, attempt));
    const after =
      asked === undefined
        ? delayOf(rule.delays, attempt)
        : Math.min(Math.max(asked, shortest), LONGEST_DELAY);
    return { kind: rule.kind, reason, after };
  };

/**
 * The delay grows with each attempt, even if the provider asks for an immediate retry each time.
 */
const SHORTEST_DELAYS = [1, 2, 4, 8, 16, 32, 60];

/**
 * Seconds. A provider that asks for a longer delay still gets a retry after this time:
 * notifications go stale.
 */
export const LONGEST_DELAY = 900;

/** Connections break and networks time out: retry soon, then ever less often. */
const NETWORK_DELAYS = [0.2, 0.8, 2, 5, 15, 30, 60, 120, 300];

/** The verdict on a request that got no answer. */
export const judgeFailure = (error: unknown, attempt: number): ProviderVerdict => ({
  kind: 'retry',
  reason: failureText(error),
  after: delayOf(NETWORK_DELAYS, attempt),
});

/** Request Timeout, Misdirected Request and Too Early: the same request may be accepted later. */
const TEMPORARY = new Set([408, 421, 425]);
/** Whether a status says nothing about the request itself. */
export const isTemporary = (status: number): boolean => status >= 500 || TEMPORARY.has(status);

function ruleFor(table: VerdictTable, { status, reason }: Refusal): VerdictRule {
  const { byReason, byStatus, serverError } = table;
  const rule =
    reason !== undefined && Object.hasOwn(byReason, reason) ? byReason[reason] : undefined;
  return rule ?? byStatus[status] ?? (isTemporary(status) ? serverError : rejected);
}

const delayOf = (delays: readonly number[], attempt: number): number =>
  delays[Math.min(attempt, delays.length - 1)] ?? 60;

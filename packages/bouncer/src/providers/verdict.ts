/**
 * What a provider's answer means for a notification and its device.
 * - `dead`: the token is gone for good; `since` (ms) is when the provider learned it, if it said so.
 * - `retry`: not now; `after` is in seconds.
 * - `quarantined`: token and app do not fit together. The device is left alone for a while, and kept.
 * - `rejected`: this notification will never be accepted; the device is fine.
 * - `config_error`: the operator has to act: credentials, environment, permissions.
 */
export type Verdict =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'dead'; readonly reason: string; readonly since?: number | undefined }
  | { readonly kind: 'retry'; readonly reason: string; readonly after: number }
  | {
      readonly kind: 'quarantined' | 'rejected' | 'config_error';
      readonly reason: string;
    };

/** A row of a verdict table. `delays`: seconds to wait after the first, second, ... refusal. */
export type Rule =
  | { readonly kind: 'dead' | 'quarantined' | 'rejected' | 'config_error' }
  | {
      readonly kind: 'retry';
      readonly delays: readonly number[];
      readonly first?: 'renew_token' | 'retire_connection';
    };

export const dead: Rule = { kind: 'dead' };
export const quarantined: Rule = { kind: 'quarantined' };
export const rejected: Rule = { kind: 'rejected' };
export const configError: Rule = { kind: 'config_error' };
export const retryAfter = (...delays: number[]): Rule => ({ kind: 'retry', delays });

/** Connections break and networks time out: soon again, then ever more rarely. */
export const networkTrouble = [0.2, 0.8, 2, 5, 15, 30, 60, 120, 300];

/** What a rule makes of the answer to attempt number `attempt` (from 0). */
export function judge(
  rule: Rule,
  reason: string,
  facts: { attempt: number; retryAfter?: number | undefined; since?: number | undefined },
): Verdict {
  if (rule.kind === 'dead') return { kind: 'dead', reason, since: facts.since };
  if (rule.kind !== 'retry') return { kind: rule.kind, reason };
  const scheduled = rule.delays[Math.min(facts.attempt, rule.delays.length - 1)] ?? 60;
  return { kind: 'retry', reason, after: facts.retryAfter ?? scheduled };
}

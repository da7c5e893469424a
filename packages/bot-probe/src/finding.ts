export type Severity = 'ok' | 'warning' | 'fault';

/** The result of one check of an endpoint. */
export interface Finding {
  readonly group: string;
  readonly check: string;
  /** A short description of what the endpoint did. */
  readonly happened: string;
  readonly severity: Severity;
  /** Why it matters and how to fix it. For a passed check: the limits of the check, or empty. */
  readonly advice: string;
}
export type CheckResult = Pick<Finding, 'happened' | 'severity' | 'advice'>;

export const ok = (happened: string, advice = ''): CheckResult => ({
  happened,
  severity: 'ok',
  advice,
});
export const warning = (happened: string, advice: string): CheckResult => ({
  happened,
  severity: 'warning',
  advice,
});
export const fault = (happened: string, advice: string): CheckResult => ({
  happened,
  severity: 'fault',
  advice,
});

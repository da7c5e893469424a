export type Verdict = 'ok' | 'warning' | 'fault';

/** What one check found. */
export interface Finding {
  readonly group: string;
  readonly check: string;
  /** What the endpoint did, in a few words. */
  readonly happened: string;
  readonly verdict: Verdict;
  /** Why it matters and how to cure it; of a check that passed, what it cannot know. */
  readonly advice: string;
}
export type Outcome = Pick<Finding, 'happened' | 'verdict' | 'advice'>;

export const ok = (happened: string, advice = ''): Outcome => ({
  happened,
  verdict: 'ok',
  advice,
});
export const warning = (happened: string, advice: string): Outcome => ({
  happened,
  verdict: 'warning',
  advice,
});
export const fault = (happened: string, advice: string): Outcome => ({
  happened,
  verdict: 'fault',
  advice,
});

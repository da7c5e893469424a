import type { CheckResult } from './finding.ts';
import type { Target } from './target.ts';

/** One test of an endpoint. */
export interface Check {
  /** The name of the check in findings. */
  readonly check: string;
  readonly run: (target: Target) => Promise<CheckResult>;
}
export interface CheckGroup {
  readonly group: string;
  readonly checks: readonly Check[];
}

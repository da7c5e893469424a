import type { Outcome } from './finding.ts';
import type { Target } from './target.ts';

export interface Check {
  readonly check: string;
  readonly run: (target: Target) => Promise<Outcome>;
}
export interface Group {
  readonly group: string;
  readonly checks: readonly Check[];
}

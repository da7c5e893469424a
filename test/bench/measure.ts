import type { Checkout } from './checkout.ts';
import type { Disk } from './disk.ts';

/** One row of a benchmark: ours and the reference, measured in the same run. */
export interface Measure {
  readonly bench: string;
  readonly measure: string;
  readonly unit: string;
  /** Medians. */
  readonly ours: number;
  readonly reference: number;
  readonly reference_name: string;
  /** Ours divided by the reference; the median over the rounds where runs are paired. */
  readonly ratio: number;
  /** The number of runs behind each median. */
  readonly runs: number;
  /** The place of both in a curve of the plot of the benchmark. */
  readonly curve?: Curve;
}
export interface Curve {
  readonly name: string;
  /** What grows. */
  readonly axis: string;
  readonly at: number;
  readonly referenceAt: number;
}

export interface BenchOptions {
  /** Other checkouts of this repository to compare with, in the same run. */
  readonly against: readonly Checkout[];
  /** For `send`, `readers` and `changes`. */
  readonly disk: Disk;
  /** Whether `send` measures this checkout also without the group flush. */
  readonly plainCommit: boolean;
}

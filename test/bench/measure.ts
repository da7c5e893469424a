/** One row of a benchmark: ours and the reference, measured in the same run. */
export interface Measure {
  readonly bench: string;
  readonly measure: string;
  readonly unit: string;
  /** Medians. */
  readonly ours: number;
  readonly reference: number;
  readonly reference_name: string;
  /** Ours divided by the reference; the median of the rounds where runs are paired. */
  readonly ratio: number;
  /** How many runs each median is of. */
  readonly runs: number;
}

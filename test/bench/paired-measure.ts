import type { Measure } from './measure.ts';
import { median } from './statistics.ts';

interface PairedRuns<Run> {
  readonly bench: string;
  readonly reference_name: string;
  /** One run per round; the runs of one round follow each other. */
  readonly ours: readonly Run[];
  readonly theirs: readonly Run[];
}

/** Makes rows of a table from the same rounds: medians, and the median of the ratios of each round. */
export function pairedMeasure<Run>({ bench, reference_name, ours, theirs }: PairedRuns<Run>) {
  return (measure: string, unit: string, of: (run: Run) => number): Measure => ({
    bench,
    measure,
    unit,
    ours: median(ours.map(of)),
    reference: median(theirs.map(of)),
    reference_name,
    // Runs of one round share the state of the machine, so their ratios vary less than they do.
    ratio: median(ours.map((run, round) => of(run) / of(theirs[round] ?? run))),
    runs: ours.length,
  });
}

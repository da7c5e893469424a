import type { Measure } from './measure.ts';
import { pairedMeasure } from './paired-measure.ts';

const WARM_UP = 3;
const ROUNDS = 9;

interface TimedPairs {
  readonly bench: string;
  readonly measure: string;
  readonly reference_name: string;
  readonly ours: () => Promise<unknown>;
  readonly theirs: () => Promise<unknown>;
}

/** Times one call of each in every round: medians in milliseconds. */
export async function timedPairs({
  ours,
  theirs,
  measure,
  ...names
}: TimedPairs): Promise<Measure> {
  const times = { ours: [] as number[], theirs: [] as number[] };
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    const pair = { ours: await timed(ours), theirs: await timed(theirs) };
    if (round < 0) continue;
    times.ours.push(pair.ours);
    times.theirs.push(pair.theirs);
  }
  return pairedMeasure({ ...names, ...times })(measure, 'ms', (time) => time);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

import type { Reporter, TestModule } from 'vitest/node';

import type { CrashCounts } from './crash-test.fixture.ts';

/** Prints the counts of every crash test, and their sums, with further figures, as the last line of the run. */
export default class CountsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const total = { acknowledged: 0, lost: 0, doubled: 0, figures: [] as string[] };
    for (const test of modules.flatMap(({ children }) => [...children.allTests()])) {
      const counts = test.meta().crashCounts;
      console.log(`${test.fullName}: ${counts ? textOf(counts) : test.result().state}`);
      if (!counts) continue;
      total.acknowledged += counts.acknowledged;
      total.lost += counts.lost;
      total.doubled += counts.doubled;
      total.figures.push(...counts.figures);
    }
    console.log(`all crash tests: ${textOf(total)}`);
  }
}

const textOf = ({ acknowledged, lost, doubled, figures }: CrashCounts): string =>
  [`acknowledged ${acknowledged}`, `lost ${lost}`, `doubled ${doubled}`, ...figures].join(', ');

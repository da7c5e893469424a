import { availableParallelism } from 'node:os';

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    globalSetup: ['@bellhop/postgres/testing'],
    // Tests wait for PostgreSQL and for other processes. The default of vitest, one less than the cores,
    // leaves one of two cores idle.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // A busy machine may make a condition wait; only one that never comes fails.
    expect: { poll: { timeout: 15_000 } },
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['packages/*/src/**/*.test.ts', 'examples/**/*.test.ts'] },
      },
      { extends: true, test: { name: 'flows', include: ['test/*.test.ts'] } },
      { extends: true, test: { name: 'crash', include: ['test/crash/*.test.ts'] } },
    ],
  },
});

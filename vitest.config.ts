import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';

import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

import { findBrowser } from './test/support/find-browser.ts';

// The processes that tests start keep compiled sources, as `bellhop` does.
process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'node-compile-cache');

/** Runs the flows first: the longest files are among them, and one that starts last runs alone. */
class FlowsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isFlow = ({ project }: TestSpecification) => project.name !== 'unit';
    return [...sorted.filter(isFlow), ...sorted.filter((file) => !isFlow(file))];
  }
}

export default defineConfig({
  test: {
    globalSetup: ['@bellhop/postgres/testing', './test/support/need-browser.ts'],
    // Loading the server again for each file takes as long as half of the tests. A file that changes
    // something of the process puts it back.
    isolate: false,
    // Node loads the sources as it does in production. No test mocks a module, and Vite would transform,
    // and V8 compile, each source again in every run.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Requests and rows of tests are garbage at once: young generations of 16 MB are collected too often.
    execArgv: ['--max-semi-space-size=64'],
    sequence: { sequencer: FlowsFirst },
    // Tests wait for PostgreSQL, for other processes and for time: one worker uses about half a core.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    // A busy machine may make a test or a condition wait; only one that never ends fails.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: [
            'packages/*/src/**/*.test.ts',
            'packages/console/browser/**/*.test.ts',
            'examples/**/*.test.ts',
          ],
        },
      },
      { extends: true, test: { name: 'flows', include: ['test/*.test.ts'], testTimeout: 120_000 } },
      {
        extends: true,
        // What people type: commands, pages of the docs, installed packages. Each starts processes.
        test: { name: 'programs', include: ['test/programs/*.test.ts'], testTimeout: 120_000 },
      },
      {
        extends: true,
        // Each file starts a sandbox and a browser.
        test: {
          name: 'browser',
          include: findBrowser() ? ['test/console/*.test.ts'] : [],
          hookTimeout: 180_000,
          testTimeout: 120_000,
        },
      },
      { extends: true, test: { name: 'crash', include: ['test/crash/*.test.ts'] } },
    ],
  },
});

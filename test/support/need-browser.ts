import type { TestProject } from 'vitest/node';

import { findBrowser, NO_BROWSER } from './find-browser.ts';

/** Before the browser tests: says that they are left out, or fails on CI, if there is no browser. */
export default function needBrowser({ vitest }: TestProject): void {
  const runsConsole = vitest.projects.some(({ name }) => name === 'browser');
  if (!runsConsole || findBrowser() !== undefined) return;
  if (process.env['CI']) throw new Error(NO_BROWSER);
  process.stdout.write(`${NO_BROWSER}\n`);
}

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** The minified script, half as long as the other one: each page that is analysed reads it. */
const script = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The rules that look at colours; the others find the same in each theme. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/**
 * Fails with the violations that axe finds on the page in the light theme, and in the colours of
 * the dark one. Of a page with a modal dialog it looks at the dialog alone: nobody reaches the
 * rest.
 */
export async function expectAccessible(page: Page): Promise<void> {
  if (await page.evaluate<boolean>('!globalThis.axe')) await page.evaluate(script);
  for (const [colorScheme, rules] of [
    ['light', {}],
    ['dark', { runOnly: OF_COLOURS }],
  ] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // Describing the passed rules takes most of the time of an analysis.
    const options = JSON.stringify({ ...rules, resultTypes: ['violations'], preload: false });
    const found = await page.evaluate<string[]>(
      `axe.run(document.querySelector(':modal') ?? document, ${options}).then(({ violations }) =>
        violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)].join('\\n  ')))`,
    );
    expect(found, colorScheme).toEqual([]);
  }
}

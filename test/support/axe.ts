import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** The rules that look at colours; the others find the same in each theme. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/** Fails with what axe finds on the page in the light theme, and in the colours of the dark one. */
export async function expectAccessible(page: Page): Promise<void> {
  // The pages have no frames. The other mode would open a page of its own for each analysis.
  const axe = () => new AxeBuilder({ page }).setLegacyMode();
  for (const [colorScheme, analysis] of [
    ['light', axe()],
    ['dark', axe().withRules(OF_COLOURS)],
  ] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const { violations } = await analysis.analyze();
    const found = violations.map(
      ({ id, nodes }) => `${colorScheme} ${id}: ${nodes.map(({ html }) => html).join('\n  ')}`,
    );
    expect(found).toEqual([]);
  }
}

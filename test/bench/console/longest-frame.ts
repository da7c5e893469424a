import type { Page } from 'playwright-core';

export interface LongList {
  readonly path: string;
  readonly label: string;
  /** The key of the row at which scrolling ends. */
  readonly last: string;
  /** Up (-1) or down. */
  readonly direction: -1 | 1;
}
/** Nearly a screen per frame: no wheel is faster. */
const STEP_PX = 600;

/**
 * Opens a list anew and scrolls it in every frame until its last row is in sight. Returns the longest
 * time between two frames in milliseconds.
 */
export async function longestFrame(page: Page, list: LongList): Promise<number> {
  const { path, label, last, direction } = list;
  await page.goto(new URL(path, page.url()).href);
  await page.locator(`[aria-label="${label}"] [data-key]`).nth(20).waitFor();
  await page.waitForLoadState('networkidle', { timeout: 2000 }).catch(() => undefined);
  return page.evaluate<number>(`(async () => {
    const list = document.querySelector('[aria-label="${label}"]');
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const isDone = () => ${
      direction === -1
        ? `list.firstElementChild.dataset.key === '${last}' && list.scrollTop <= 0`
        : `list.lastElementChild.dataset.key === '${last}' &&
           list.scrollTop + list.clientHeight >= list.scrollHeight - 1`
    };
    let longest = 0;
    new PerformanceObserver((entries) => {
      for (const { duration } of entries.getEntries()) longest = Math.max(longest, duration);
    }).observe({ type: 'long-animation-frame' });
    for (let before = await frame(); !isDone();) {
      list.scrollTop += ${direction * STEP_PX};
      const now = await frame();
      longest = Math.max(longest, now - before);
      before = now;
    }
    return longest;
  })()`);
}

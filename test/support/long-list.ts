import type { BotDelivery } from '@bellhop/protocol';
import type { Page } from 'playwright-core';

const COUNT = 300;
const PAGE = 100;

const numbered = (sample: BotDelivery, number: number) => ({
  ...sample,
  id: `019ab000-0000-7000-8000-${String(number).padStart(12, '0')}`,
  verdict: `number ${number}`,
});

/**
 * Answers the requests of a page with 300 deliveries, number 299 to number 0, in pages as the server
 * answers them. Without these the test would have to make as many.
 */
export async function answerLongList(page: Page, sample: BotDelivery): Promise<void> {
  const success = { result: 'success', msg: '' };
  let isFirst = true;
  await page.route('**/deliveries?*', async (route) => {
    // The first rows come when the list says that it waits for them.
    if (isFirst) await page.getByRole('status').filter({ hasText: 'Loading' }).waitFor();
    isFirst = false;
    const cursor = new URL(route.request().url()).searchParams.get('cursor');
    const from = cursor === null ? COUNT : Number(cursor.slice(-12));
    const deliveries = Array.from({ length: PAGE }, (_, at) => numbered(sample, from - at - 1));
    const next_cursor = from > PAGE ? deliveries.at(-1)?.id : null;
    await route.fulfill({ json: { ...success, deliveries, next_cursor } });
  });
  await page.route('**/deliveries/019ab*', async (route) => {
    const number = Number(new URL(route.request().url()).pathname.slice(-12));
    const delivery = { ...numbered(sample, number), payload: null, attempts: [] };
    await route.fulfill({ json: { ...success, delivery } });
  });
}

/** Scrolls a list to its last row. Returns the most rows that were on the page. */
export const scrollToEnd = (page: Page): Promise<number> =>
  inList(
    page,
    `let most = 0;
    while (!/number 0$/m.test(list.lastElementChild.innerText)) {
      list.scrollTo(0, list.scrollHeight);
      await frame();
      most = Math.max(most, list.children.length);
    }
    return most;`,
  );

/**
 * Scrolls a list up step by step, while rows come and go. Returns how many pixels more or less than
 * the list a row in its middle moved at most.
 */
export const jumpWhileScrolling = (page: Page): Promise<number> =>
  inList(
    page,
    `const top = (element) => element.getBoundingClientRect().top;
    const middle = top(list) + list.clientHeight / 2;
    let most = 0;
    for (let step = 0; step < 30; step++) {
      const row = [...list.children].find((one) => top(one) > middle);
      const before = top(row);
      list.scrollTop -= 100;
      await frame();
      most = Math.max(most, Math.abs(top(row) - before - 100));
    }
    return most;`,
  );

/** Runs in the page: a call for each of some dozen steps would take long. */
const inList = (page: Page, script: string): Promise<number> =>
  page.evaluate<number>(`(async () => {
    const list = document.querySelector('[role=list][aria-label=Deliveries]');
    const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    ${script}
  })()`);

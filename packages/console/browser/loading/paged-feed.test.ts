import { expect, test } from 'vitest';

import { type Page, pagedFeed } from './paged-feed.ts';

/** Numbers of a list from 1 to 20 in pages of five, which the test answers when it calls `answer`. */
function numbers(max?: { readonly rows: number; readonly after: (last: number) => number }) {
  const waiting: { readonly place: number; readonly answer: (error?: Error) => void }[] = [];
  const feed = pagedFeed<number, number, { readonly add?: number; readonly remove?: number }>({
    fetch: (place, signal) => {
      const { promise, resolve, reject } = Promise.withResolvers<Page<number, number>>();
      const rows = [0, 1, 2, 3, 4].map((more) => place + more);
      const before = place > 1 ? place - 5 : null;
      const after = place < 16 ? place + 5 : null;
      const answer = (error?: Error) => (error ? reject(error) : resolve({ rows, before, after }));
      waiting.push({ place, answer });
      signal.addEventListener('abort', () => reject(signal.reason as Error));
      return promise;
    },
    apply: (rows, { add, remove }) => {
      const others = rows.filter((one) => one !== add && one !== remove);
      return add === undefined ? others : [...others, add].toSorted((a, b) => a - b);
    },
    ...(max && { max }),
  });
  return { feed, waiting };
}

test('pages are added before and after the first one until there are no more', async () => {
  const { feed, waiting } = numbers();
  expect(feed.ends.value).toBeUndefined();
  const steps = [() => feed.open(6), feed.loadBefore, feed.loadBefore, feed.loadAfter];
  for (const step of steps) {
    const done = step();
    waiting.at(-1)?.answer();
    await done;
  }
  expect(waiting.map(({ place }) => place)).toEqual([6, 1, 11]);
  expect(feed.rows.value).toEqual(Array.from({ length: 15 }, (_, at) => at + 1));
  expect(feed.ends.value).toEqual({ before: null, after: 16 });
});

test('a page is not asked for while another one is being fetched', async () => {
  const { feed, waiting } = numbers();
  const opened = feed.open(6);
  await feed.loadAfter();
  waiting[0]?.answer();
  await opened;
  const added = feed.loadAfter();
  await feed.loadAfter();
  await feed.loadBefore();
  expect(waiting).toHaveLength(2);
  waiting[1]?.answer();
  await added;
  expect(feed.isLoading.value).toBe(false);
});

test('changes that come during a fetch are in the rows at once and after it', async () => {
  const { feed, waiting } = numbers();
  const opened = feed.open(6);
  feed.change({ add: 100 });
  expect(feed.rows.value).toEqual([]);
  waiting[0]?.answer();
  await opened;
  expect(feed.rows.value).toEqual([6, 7, 8, 9, 10, 100]);
  const added = feed.loadBefore();
  feed.change({ remove: 7 });
  feed.change({ remove: 5 });
  expect(feed.rows.value).toEqual([6, 8, 9, 10, 100]);
  waiting[1]?.answer();
  await added;
  expect(feed.rows.value).toEqual([1, 2, 3, 4, 6, 8, 9, 10, 100]);
});

test('opening another place drops the answer that is awaited', async () => {
  const { feed, waiting } = numbers();
  const dropped = feed.open(1);
  const opened = feed.open(11);
  waiting[1]?.answer();
  await opened;
  waiting[0]?.answer();
  await dropped;
  expect(feed.rows.value).toEqual([11, 12, 13, 14, 15]);
  expect([feed.error.value, feed.isLoading.value]).toEqual([undefined, false]);
});

test('retry fetches the page that could not be fetched, with the rows that are there', async () => {
  const { feed, waiting } = numbers();
  const opened = feed.open(6);
  waiting[0]?.answer();
  await opened;
  const failed = feed.loadAfter();
  waiting[1]?.answer(new Error('no connection'));
  await failed;
  expect(feed.error.value).toEqual(new Error('no connection'));
  expect(feed.rows.value).toEqual([6, 7, 8, 9, 10]);
  feed.retry();
  expect(feed.error.value).toBeUndefined();
  waiting[2]?.answer();
  await expect.poll(() => feed.rows.value).toEqual([6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
  expect(waiting[2]?.place).toBe(11);
});

test('more rows than the most make the last ones go, which come back with their page', async () => {
  const { feed, waiting } = numbers({ rows: 5, after: (last) => last + 1 });
  const opened = feed.open(6);
  waiting[0]?.answer();
  await opened;
  feed.change({ add: 5 });
  expect(feed.rows.value).toEqual([5, 6, 7, 8, 9]);
  const added = feed.loadAfter();
  feed.change({ add: 4 });
  waiting[1]?.answer();
  await added;
  expect(waiting[1]?.place).toBe(10);
  // The most holds again with the first change after the page.
  expect(feed.rows.value).toEqual([4, 5, 6, 7, 8]);
  expect(feed.ends.value?.after).toBe(9);
});

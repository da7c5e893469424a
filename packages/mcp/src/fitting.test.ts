import { expect, test } from 'vitest';

import { fitting, partOf } from './fitting.ts';

test('fitting returns the items that fit, and the first one also if it does not', () => {
  expect(fitting(['aa', 'bb', 'cc'], 8)).toEqual(['aa', 'bb']);
  expect(fitting(['a long one', 'b'], 8)).toEqual(['a long one']);
  expect(fitting([], 8)).toEqual([]);
});

test('the parts of a list join to the list, also if items are too long for one part', () => {
  const items = Array.from({ length: 25 }, (_, at) => `${at} ${'x'.repeat(4000)}`);
  const read: string[] = [];
  for (let offset: number | null = 0; offset !== null;) {
    const found: ReturnType<typeof partOf<string>> = partOf(items, { offset, limit: 100 });
    expect(found.total).toBe(25);
    expect(found.part.length).toBe(Math.min(7, 25 - offset));
    read.push(...found.part);
    offset = found.next_offset;
  }
  expect(read).toEqual(items);
});

test('a part behind the end of a list is empty', () => {
  expect(partOf(['a'], { offset: 5, limit: 10 })).toEqual({
    part: [],
    total: 1,
    next_offset: null,
  });
});

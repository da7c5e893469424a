import { expect, test } from 'vitest';

import { RecentEntries } from './recent-entries.ts';

const kept = (recent: RecentEntries<string>, upTo: number) =>
  Array.from({ length: upTo }, (_, key) => key).filter((key) => recent.get(key) !== undefined);

test('RecentEntries keeps between `size` and twice `size` of the newest entries', () => {
  const recent = new RecentEntries<string>({ size: 3, weight: 1000 });
  for (let key = 0; key < 100; key++) {
    recent.set(key, 'x', 1);
    const there = kept(recent, 100);
    expect(there.slice(-3)).toEqual([key - 2, key - 1, key].filter((wanted) => wanted >= 0));
    expect(there.length).toBeLessThanOrEqual(6);
  }
});

test('RecentEntries drops older entries when `weight` is reached', () => {
  const recent = new RecentEntries<string>({ size: 1000, weight: 10 });
  for (let key = 0; key < 100; key++) recent.set(key, 'x', 5);
  expect(kept(recent, 100)).toEqual([96, 97, 98, 99]);
});

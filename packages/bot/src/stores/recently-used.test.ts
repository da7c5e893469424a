import fc from 'fast-check';
import { expect, test } from 'vitest';

import { recentlyUsed } from './recently-used.ts';

/** The model: a list with the most recently used entry last. */
function listOfRecentlyUsed(maxKeys: number) {
  let list: { key: string; value: number }[] = [];
  const without = (key: string) => list.filter((entry) => entry.key !== key);
  return {
    get(key: string) {
      const found = list.find((entry) => entry.key === key);
      if (found !== undefined) list = [...without(key), found];
      return found?.value;
    },
    set(key: string, value: number) {
      list = [...without(key), { key, value }].slice(-maxKeys);
    },
    delete(key: string) {
      list = without(key);
    },
    clear() {
      list = [];
    },
    keys: () => list.map(({ key }) => key),
  };
}

const key = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
const busy = fc.record({ do: fc.constantFrom('get', 'delete', 'set'), key, value: fc.nat() });
const step = fc.oneof(
  { arbitrary: busy, weight: 20 },
  { arbitrary: fc.constant({ do: 'clear', key: '', value: 0 }), weight: 1 },
);

test('recentlyUsed holds the same entries as a list ordered by use', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4 }), fc.array(step), (maxKeys, steps) => {
      const [tried, model] = [recentlyUsed<number>(maxKeys), listOfRecentlyUsed(maxKeys)];
      for (const { do: what, key: at, value } of steps) {
        if (what === 'get') expect(tried.get(at)).toBe(model.get(at));
        if (what === 'set') [tried, model].forEach((map) => map.set(at, value));
        if (what === 'delete') [tried, model].forEach((map) => map.delete(at));
        if (what === 'clear') [tried, model].forEach((map) => map.clear());
        expect(tried.keys().toSorted()).toEqual(model.keys().toSorted());
      }
    }),
  );
});

test('peek() does not count as a use', () => {
  const map = recentlyUsed<number>(2);
  map.set('a', 1);
  map.set('b', 2);
  expect(map.peek('a')).toBe(1);
  map.set('c', 3);
  expect(map.keys()).toEqual(['b', 'c']);
});

test('recentlyUsed takes as long for a key in use with 5000 other keys as with 10', () => {
  const time = (others: number) => {
    const map = recentlyUsed<number>(100_000);
    for (let index = 0; index < others; index++) map.set(`key ${index}`, index);
    const start = process.cpuUsage();
    for (let index = 0; index < 50_000; index++) map.set('busy', map.get('busy') ?? 0);
    const { user, system } = process.cpuUsage(start);
    return user + system;
  };
  const few = Math.min(...[0, 1, 2].map(() => time(10)));
  const many = Math.min(...[0, 1, 2].map(() => time(5_000)));
  // An implementation that deletes and reinserts in a Map takes 100 times as long.
  expect(many).toBeLessThan(10 * few + 5_000);
});

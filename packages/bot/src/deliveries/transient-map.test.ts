import { expect, test } from 'vitest';

import { TransientMap } from './transient-map.ts';

test('a TransientMap has the value that was set last for each key', () => {
  const map = new TransientMap<string, number>();
  map.set('a', 1);
  map.set('b', 2);
  map.set('a', 3);
  expect([map.get('a'), map.get('b'), map.size, map.values()]).toEqual([3, 2, 2, [3, 2]]);
});

test('a deleted key has no value, and a second deletion changes nothing', () => {
  const map = new TransientMap<number, string>();
  map.set(7, 'x');
  map.delete(7);
  map.delete(7);
  expect([map.get(7), map.size, map.values()]).toEqual([undefined, 0, []]);
});

test.each(['__proto__', 'constructor', 'toString'])('the key %j is like any other', (key) => {
  const map = new TransientMap<string, number>();
  expect(map.get(key)).toBeUndefined();
  map.set(key, 1);
  expect([map.get(key), map.size]).toEqual([1, 1]);
});

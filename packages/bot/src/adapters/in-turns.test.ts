import { setImmediate as nextTurn } from 'node:timers/promises';

import { expect, onTestFinished, test, vi } from 'vitest';

import { inTurns } from './in-turns.ts';

/** Milliseconds: the tests say how long work takes. */
let now = 0;

function recorded(work: (item: string) => void = () => {}) {
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
  const happened: string[] = [];
  const add = inTurns(
    (item: string) => {
      work(item);
      happened.push(`work ${item}`);
      return item.toUpperCase();
    },
    (item, result) => void happened.push(`${item} is ${result}`),
  );
  return { add, happened };
}

test('what arrives together is worked on first, then handed out, in its order', async () => {
  const { add, happened } = recorded();
  add('a');
  add('b');
  expect(happened).toEqual([]);
  await nextTurn();
  expect(happened).toEqual(['work a', 'work b', 'a is A', 'b is B']);
  add('c');
  await nextTurn();
  expect(happened.slice(4)).toEqual(['work c', 'c is C']);
});

test('long work does not hold back what was done before it', async () => {
  const { add, happened } = recorded((item) => {
    if (item === 'slow') now += 3;
  });
  add('slow');
  add('b');
  await nextTurn();
  expect(happened).toEqual(['work slow', 'slow is SLOW', 'work b', 'b is B']);
});

test('what arrives meanwhile has the next turn', async () => {
  const { add, happened } = recorded((item) => {
    if (item === 'a') add('later');
  });
  add('a');
  await nextTurn();
  expect(happened).toEqual(['work a', 'a is A']);
  await nextTurn();
  expect(happened).toEqual(['work a', 'a is A', 'work later', 'later is LATER']);
});

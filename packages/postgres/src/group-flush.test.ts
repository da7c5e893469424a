import { expect, test } from 'vitest';

import { GroupFlush } from './group-flush.ts';

/** A flush that ends when `ends` is called; `begun` waits for a number of flushes. */
function slowFlush() {
  const ends: ((error?: Error) => void)[] = [];
  const group = new GroupFlush(
    () =>
      new Promise<void>((resolve, reject) => {
        ends.push((error) => (error ? reject(error) : resolve()));
      }),
  );
  const begun = async (count: number) => {
    while (ends.length < count) await new Promise(setImmediate);
  };
  return { group, ends, begun };
}

test('callers during a flush share the next flush', async () => {
  const { group, ends, begun } = slowFlush();
  const order: string[] = [];
  const ask = (name: string) => group.durable().then(() => order.push(name));
  const first = ask('first');
  await begun(1);
  const later = [ask('second'), ask('third')];
  ends[0]?.();
  await first;
  await begun(2);
  expect(order).toEqual(['first']);
  ends[1]?.();
  await Promise.all(later);
  expect(order).toEqual(['first', 'second', 'third']);
  expect(ends).toHaveLength(2);
});

test('a failed flush rejects for its callers and not for those of the next flush', async () => {
  const { group, ends, begun } = slowFlush();
  const first = group.durable();
  await begun(1);
  const second = group.durable();
  ends[0]?.(new Error('the disk is gone'));
  await expect(first).rejects.toThrow('the disk is gone');
  await begun(2);
  ends[1]?.();
  await second;
});

import { expect, test } from 'vitest';

import { Turns } from './turns.ts';

/** Works that note when they begin and end when they are told to. */
function startWorks(turns: Turns) {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const start = (name: string) =>
    turns.run(name.slice(0, 1), async () => {
      begun.push(name);
      await new Promise<void>((resolve) => ends.push(resolve));
    });
  const endNext = async () => {
    await new Promise(setImmediate);
    ends.shift()?.();
    await new Promise(setImmediate);
  };
  return { begun, start, endNext };
}

test('people take turns: the only work of one person waits for one of another, not for all of theirs', async () => {
  const { begun, start, endNext } = startWorks(new Turns({ atOnce: 1 }));
  const all = ['a1', 'a2', 'a3', 'b1', 'a4', 'c1', 'b2'].map(start);
  for (const _ of all) await endNext();
  await Promise.all(all);
  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
});

test('at most two of five works run at a time, in order, also after one that fails', async () => {
  const turns = new Turns({ atOnce: 2 });
  const begun: number[] = [];
  let running = 0;
  const results = await Promise.allSettled(
    [1, 2, 3, 4, 5].map((n) =>
      turns.run('a', async () => {
        begun.push(n);
        running += 1;
        expect(running).toBeLessThanOrEqual(2);
        await new Promise(setImmediate);
        running -= 1;
        if (n === 2) throw new Error('failed');
        return n;
      }),
    ),
  );
  expect(begun).toEqual([1, 2, 3, 4, 5]);
  expect(results.map(({ status }) => status === 'fulfilled')).toEqual([
    true,
    false,
    true,
    true,
    true,
  ]);
});

test('a person whose works fill their room is refused with the time to wait; others are not', async () => {
  const turns = new Turns({ atOnce: 1, ofOne: 2, refusal: 'You have two.' });
  const { begun, start, endNext } = startWorks(turns);
  const accepted = [start('a1'), start('a2')];
  await expect(start('a3')).rejects.toMatchObject({
    code: 'RATE_LIMIT_HIT',
    status: 429,
    message: 'You have two. Try again in a few seconds.',
    data: { 'retry-after': 5 },
  });
  accepted.push(start('b1'));
  await endNext();
  accepted.push(start('a4'));
  for (const _ of accepted) await endNext();
  await Promise.all(accepted);
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a4']);
});

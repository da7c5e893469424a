import { expect, test } from 'vitest';

import { retry } from './attempt-result.ts';
import { runNow } from './run-now.ts';
import { eventually, noteJob, testQueue } from './test-queue.fixture.ts';

const HOUR = 3600;

test('a job that waits for an hour runs again at once', async () => {
  await using queue = await testQueue();
  let attempts = 0;
  const note = noteJob({
    retry: [1],
    run: async () =>
      ++attempts === 1 ? retry({ reason: 'paused', afterSeconds: HOUR }) : undefined,
  });
  const id = await queue.add(note, 'x');
  await queue.start([note]);
  await eventually(async () =>
    expect(await queue.row(id)).toMatchObject({ state: 'queued', attempt: 1 }),
  );
  await queue.transaction((tx) => runNow(tx, note, { payload: {}, at: new Date() }));
  await eventually(async () => expect(await queue.row(id)).toMatchObject({ state: 'done' }));
});

test('an attempt that runs meanwhile and then wants to wait for an hour is repeated at once', async () => {
  await using queue = await testQueue();
  const begun = Promise.withResolvers<void>();
  const ending = Promise.withResolvers<void>();
  let attempts = 0;
  const note = noteJob({
    retry: [1, 1],
    run: async () => {
      attempts += 1;
      if (attempts === 3) return undefined;
      begun.resolve();
      await ending.promise;
      return retry({ reason: 'paused', afterSeconds: HOUR });
    },
  });
  const id = await queue.add(note, 'x');
  await queue.start([note]);
  await begun.promise;
  await queue.transaction((tx) => runNow(tx, note, { payload: { text: 'x' }, at: new Date() }));
  ending.resolve();
  // The second attempt began after the call: it waits.
  await eventually(async () =>
    expect(await queue.row(id)).toMatchObject({ state: 'queued', attempt: 2 }),
  );
  expect((await queue.row(id)).due_at.getTime()).toBeGreaterThan(Date.now() + (HOUR / 2) * 1000);
});

test('jobs with another payload keep waiting', async () => {
  await using queue = await testQueue();
  const note = noteJob({});
  const due = new Date(Date.now() + HOUR * 1000);
  const id = await queue.add(note, 'x', { runAt: due });
  await queue.transaction((tx) => runNow(tx, note, { payload: { text: 'y' }, at: new Date() }));
  expect((await queue.row(id)).due_at).toEqual(due);
});

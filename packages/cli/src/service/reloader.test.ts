import { expect, test } from 'vitest';

import { Reloader } from './reloader.ts';

/** Counts reloads; the test decides when each ends. */
function countedReloads() {
  const begun: PromiseWithResolvers<void>[] = [];
  const reloader = new Reloader(() => {
    const reload = Promise.withResolvers<void>();
    begun.push(reload);
    return reload.promise;
  });
  return { begun, reloader };
}
const soon = () => new Promise((resolve) => setImmediate(resolve));

test('requests before the start cause one reload at the start', async () => {
  const { begun, reloader } = countedReloads();
  reloader.request();
  reloader.request();
  expect(begun).toHaveLength(0);
  reloader.start();
  expect(begun).toHaveLength(1);
});

test('requests during a reload cause one more reload after it', async () => {
  const { begun, reloader } = countedReloads();
  reloader.start();
  for (let times = 0; times < 3; times++) reloader.request();
  expect(begun).toHaveLength(1);
  begun[0]?.resolve();
  await soon();
  expect(begun).toHaveLength(2);
  begun[1]?.resolve();
  await soon();
  expect(begun).toHaveLength(2);
  reloader.request();
  expect(begun).toHaveLength(3);
});

test('stop waits for the reload under way and begins none of those requested', async () => {
  const { begun, reloader } = countedReloads();
  reloader.start();
  reloader.request();
  reloader.request();
  let isStopped = false;
  const stopped = reloader.stop().then(() => (isStopped = true));
  await soon();
  expect(isStopped).toBe(false);
  begun[0]?.resolve();
  await stopped;
  expect(begun).toHaveLength(1);
});

import { expect, test } from 'vitest';

import { sharedCalls } from './shared-calls.ts';

test('calls with one key share a result while the first runs, and begin anew after it', async () => {
  const share = sharedCalls<number>();
  let made = 0;
  const call = async () => ++made;
  expect(await Promise.all([share('a', call), share('a', call), share('b', call)])).toEqual([
    1, 1, 2,
  ]);
  expect(await share('a', call)).toBe(3);
});

test('a failed call fails for all who share it, and the next one runs', async () => {
  const share = sharedCalls<string>();
  const fail = () => Promise.reject(new Error('no database'));
  const both = await Promise.allSettled([share('a', fail), share('a', async () => 'unused')]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await share('a', async () => 'again')).toBe('again');
});

import { type Exchange, rateLimit } from '@bellhop/http';
import { expect, test } from 'vitest';

import { addressLimit } from './address-limit.ts';

const from = (ip: string) => ({ ip, setHeader: () => {} }) as unknown as Exchange;

/** Look-ups that note when they begin, and end when they are told to. */
function startLookUps(count: number) {
  const limit = addressLimit(rateLimit([{ count, seconds: 60 }]));
  const ends: (() => void)[] = [];
  const begun: string[] = [];
  const start = (ip: string, found?: string) =>
    limit.lookUpFor(from(ip))(async () => {
      begun.push(ip);
      await new Promise<void>((resolve) => ends.push(resolve));
      return found;
    });
  const endAll = () => {
    for (const end of ends.splice(0)) end();
  };
  return { begun, start, endAll };
}

test('ten look-ups of an address run at a time; another address does not wait for them', async () => {
  const { begun, start, endAll } = startLookUps(100);
  const all = Array.from({ length: 25 }, () => start('192.0.2.1', 'a user'));
  all.push(start('192.0.2.2', 'a user'));
  const counts = () =>
    ['192.0.2.1', '192.0.2.2'].map((ip) => begun.filter((one) => one === ip).length);
  await expect.poll(counts).toEqual([10, 1]);
  endAll();
  await expect.poll(counts).toEqual([20, 1]);
  endAll();
  await expect.poll(counts).toEqual([25, 1]);
  endAll();
  expect(new Set(await Promise.all(all))).toEqual(new Set(['a user']));
});

test('look-ups that find nothing use up the limit of their address, and the waiting ones are refused', async () => {
  const { begun, start, endAll } = startLookUps(10);
  const all = Promise.allSettled(Array.from({ length: 12 }, () => start('192.0.2.1')));
  await expect.poll(() => begun.length).toBe(10);
  endAll();
  const refused = (await all).filter(({ status }) => status === 'rejected');
  expect(refused).toMatchObject(
    Array.from({ length: 2 }, () => ({ reason: { code: 'RATE_LIMIT_HIT' } })),
  );
  const other = start('192.0.2.2', 'a user');
  await expect.poll(() => begun.length).toBe(11);
  endAll();
  expect(await other).toBe('a user');
});

import { expect, test } from 'vitest';

import { newAccountId } from './boxes.ts';

test('no new push_account_id fits into a double, and both signs occur', () => {
  const ids = Array.from({ length: 20_000 }, newAccountId);
  expect(ids.filter((id) => BigInt(Number(id)) === id)).toEqual([]);
  expect(new Set(ids.map((id) => id < 0n)).size).toBe(2);
  expect(ids.filter((id) => BigInt.asIntN(64, id) !== id)).toEqual([]);
});

import { expect, test } from 'vitest';

import { outcomeOf } from './push-rows.ts';

const arrival = { cipher_id: 'x', received_at: '2026-01-05T09:00:00.000Z' };

test.each([
  [1, 'arrived'],
  [2, 'arrived twice'],
  [9, 'arrived 9 times'],
])('a push with %d arrivals is shown as %s', (count, word) => {
  const arrivals = Array.from({ length: count }, () => arrival);
  expect(outcomeOf({ cipher_id: 'x', ms: 0, trace: undefined, arrivals } as never).word).toBe(word);
});

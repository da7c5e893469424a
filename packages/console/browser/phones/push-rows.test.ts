import { expect, test } from 'vitest';

import { outcomeOf, rowsOf } from './push-rows.ts';

const arrival = { cipher_id: 'x', received_at: '2026-01-05T09:00:00.000Z' };

test.each([
  [1, 'arrived'],
  [2, 'arrived twice'],
  [9, 'arrived 9 times'],
])('a push with %d arrivals is shown as %s', (count, word) => {
  const arrivals = Array.from({ length: count }, () => arrival);
  expect(outcomeOf({ cipher_id: 'x', ms: 0, trace: undefined, arrivals } as never).word).toBe(word);
});

test.each([
  [2_000, 'at provider', 'waiting'],
  [3_001, 'accepted', 'unknown'],
])(
  'an accepted push without an arrival, on a phone that remembers since %d, is shown as %s',
  (remembers_ms, word, status) => {
    const numbers = { push_account_id: '1', device_id: null };
    const trace = {
      ...numbers,
      cipher_id: 'x',
      event_ms: 1_000,
      encrypted_ms: 3_000,
      attempts: [],
      outcome: 'accepted',
    };
    const target = { ...numbers, name: 'pixel', phone: { inbox: [], remembers_ms } };
    const [row] = rowsOf(target as never, [trace as never]);
    expect(row && outcomeOf(row)).toMatchObject({ word, status });
  },
);

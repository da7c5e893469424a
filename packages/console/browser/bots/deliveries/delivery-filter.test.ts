import { expect, test } from 'vitest';

import { deliveryFilter } from './delivery-filter.ts';

const now = Date.UTC(2026, 10, 23);

test('a filter of deliveries has the terms of the API', () => {
  expect(deliveryFilter('status:failed trigger:mention http:500 after:10m time out', now)).toEqual({
    status: 'failed',
    trigger: 'mention',
    http_status: 500,
    after_ms: now - 600_000,
    search: 'time out',
  });
  expect(deliveryFilter('message:812', now)).toEqual({ message_id: 812 });
  expect(deliveryFilter('', now)).toEqual({});
});

test('a filter with a value that does not exist matches nothing', () => {
  for (const text of ['status:broken', 'http:abc', 'after:soon', 'before:never', 'message:x'])
    expect(deliveryFilter(text, now)).toBeUndefined();
});

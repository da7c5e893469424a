import { expect, test } from 'vitest';

import { providerRequest } from './provider-request.ts';

const entry = {
  time: 1_000,
  provider: 'apns',
  status: 200,
  outcome: 'delivered',
  body: '{"push_account_id":1,"encrypted_data":"AAAA"}',
  size: 45,
  cipher_id: 'a'.repeat(16),
};

test('an FCM message is measured by its data, the others by their body', () => {
  const body = '{"message":{"token":"t","data":{"encrypted_data":"AAAA"}}}';
  expect(providerRequest({ ...entry, provider: 'fcm', body }).size).toBe(
    '{"encrypted_data":"AAAA"}'.length,
  );
  expect(providerRequest(entry)).toMatchObject({ size: 45, limit: 4096 });
});

test('a refused request has the explanation of its reason, also if a fault of the simulator caused it', () => {
  for (const outcome of ['TooManyRequests', 'fault: TooManyRequests'])
    expect(providerRequest({ ...entry, status: 429, outcome }).explanation).toBe(
      '429: Too many notifications to one phone',
    );
  expect(providerRequest(entry)).not.toHaveProperty('explanation');
});

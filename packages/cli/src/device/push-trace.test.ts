import { expect, test } from 'vitest';

import type { Arrival } from './arrival.ts';
import { ciphertextHash, type ProviderRequest, tracesOf } from './push-trace.ts';

const request = (changes: Partial<ProviderRequest> = {}): ProviderRequest => ({
  time: 0,
  provider: 'apns',
  token: 'ab12',
  status: 200,
  outcome: 'delivered',
  body: '{"push_account_id":1,"encrypted_data":"AAAA"}',
  ...changes,
});
const arrival: Arrival = {
  phone: 'iphone',
  seq: 1,
  received_at: '1970-01-01T00:00:02.000Z',
  size: 45,
  priority: 10,
  payload: { realm_url: '', realm_name: '', user_id: 1, type: 'test', time: 1 },
};
const arrived = { hash: ciphertextHash('AAAA'), arrival };
const verdicts = (...given: Parameters<typeof tracesOf>) =>
  tracesOf(...given).map(({ verdict }) => verdict);

test('attempts of one ciphertext are one trace, with the meaning of each refusal', () => {
  const refused = request({ status: 429, outcome: 'TooManyRequests' });
  const other = request({
    body: '{"encrypted_data":"BBBB"}',
    outcome: 'Unregistered',
    status: 410,
  });
  expect(tracesOf('iphone', [refused, request({ time: 2000 }), other], [arrived])).toEqual([
    {
      hash: ciphertextHash('AAAA'),
      phone: 'iphone',
      attempts: [
        {
          at: '1970-01-01T00:00:00.000Z',
          status: 429,
          outcome: 'TooManyRequests',
          explanation: '429: Too many notifications to one phone',
          size: 45,
          limit: 4096,
        },
        expect.objectContaining({ at: '1970-01-01T00:00:02.000Z', outcome: 'delivered' }),
      ],
      arrivals: [arrival],
      verdict: 'arrived after 2 attempts',
    },
    expect.objectContaining({ arrivals: [], verdict: 'not delivered: Unregistered' }),
  ]);
});

test('an FCM message is measured by its data', () => {
  const body = '{"message":{"token":"t","data":{"encrypted_data":"AAAA"}}}';
  const [trace] = tracesOf('pixel', [request({ provider: 'fcm', body })], []);
  expect(trace?.attempts[0]?.size).toBe('{"encrypted_data":"AAAA"}'.length);
});

test('the verdict tells what became of a notification', () => {
  const unread = { ...arrived, arrival: { ...arrival, refused: 'undecryptable: ...' } };
  expect(verdicts('p', [request()], [arrived])).toEqual(['arrived at the first attempt']);
  expect(verdicts('p', [request()], [arrived, arrived])).toEqual(['arrived 2 times']);
  expect(verdicts('p', [request()], [unread])).toEqual([
    'arrived at the first attempt, but the phone refused it',
  ]);
  expect(verdicts('p', [request({ outcome: 'stored' })], [])).toEqual([
    'waits at the provider until the phone is online',
  ]);
  expect(verdicts('p', [request({ outcome: 'fault: silent', status: null })], [])).toEqual([
    'not delivered: fault: silent',
  ]);
});

test('requests without a ciphertext are left out', () => {
  expect(tracesOf('p', [request({ body: '' }), request({ body: '{"aps":{}}' })], [])).toEqual([]);
});

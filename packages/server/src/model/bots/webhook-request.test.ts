import { createHmac } from 'node:crypto';

import { expect, test } from 'vitest';

import { signatureHeaders, storedRequest } from './webhook-request.ts';

test('the signature is that of Standard Webhooks for the secret whsec_ + base64(token)', () => {
  const token = 'abcdefghijklmnopqrstuvwxyz012345';
  const signed = { id: 'an-id', timestamp: 1_800_000_000, body: '{"a":"é"}' };
  const headers = signatureHeaders(token, signed);
  const key = Buffer.from(btoa(token), 'base64');
  const expected = createHmac('sha256', key)
    .update('an-id.1800000000.{"a":"é"}', 'utf8')
    .digest('base64');
  expect(headers).toEqual({
    'webhook-id': 'an-id',
    'webhook-timestamp': '1800000000',
    'webhook-signature': `v1,${expected}`,
  });
  const other = signatureHeaders(token, { ...signed, body: '{"a":"e"}' });
  expect(other['webhook-signature']).not.toBe(headers['webhook-signature']);
});

const MASKED = '[redacted]';

test.each([
  [`{"a":1,"token":"${MASKED}","b":["${MASKED}"]}`, `{"a":1,"token":"T","b":["${MASKED}"]}`],
  // Deliveries stored before the payload was built from its object look like these.
  [`token=${MASKED}&text=${MASKED}`, 'token=T&text=%5Bredacted%5D'],
  ['token=%5Bredacted%5D&text=a+b', 'token=T&text=a+b'],
  [`{"n":12345678901234567890,"token" : "${MASKED}"}`, '{"n":12345678901234567890,"token":"T"}'],
  [`{"message":{"token":"${MASKED}"}}`, `{"message":{"token":"${MASKED}"}}`],
  ['{ "token": "given" }', '{ "token": "given" }'],
  ['{"token": ', '{"token": '],
  ['', ''],
])('the stored payload %j is sent as %j', (text, sent) => {
  expect(storedRequest(text, 1).body('T')).toBe(sent);
});

test('a payload that is too deep to be written again is sent as it is', () => {
  const deep = `{"token":"${MASKED}","a":${'['.repeat(90_000)}${']'.repeat(90_000)}}`;
  expect(storedRequest(deep, 1).body('T')).toBe(deep);
});

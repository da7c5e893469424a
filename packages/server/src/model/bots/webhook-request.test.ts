import { createHmac } from 'node:crypto';

import { expect, test } from 'vitest';

import { signatureHeaders } from './webhook-request.ts';

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

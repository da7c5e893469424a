import { OutboundError } from '@bellhop/http/outbound';
import { expect, test } from 'vitest';

import { H2Failure } from '../http2/pending-request.ts';
import { failureText, shortText } from './provider-text.ts';
import { readWebPushRefusal } from './webpush/webpush-verdicts.ts';

const saidBy = (body: string, headers: Record<string, string> = {}) =>
  readWebPushRefusal({ status: 403, headers, body: Buffer.from(body) }, 0).said;

test.each([
  ['Apple', '{"reason":"BadJwtToken"}', {}, 'BadJwtToken'],
  [
    'Mozilla',
    '{"code":401,"errno":109,"error":"Unauthorized","message":"Invalid bearer auth"}',
    {},
    'errno 109: Unauthorized: Invalid bearer auth',
  ],
  [
    'Windows',
    '',
    { 'x-wns-error-description': 'The channel URI\r\nis not valid', 'x-wns-status': 'dropped' },
    'The channel URI is not valid',
  ],
  [
    'Google',
    'the VAPID credentials do not correspond\n',
    {},
    'the VAPID credentials do not correspond',
  ],
  ['a page', '<html><h1>403</h1> Forbidden</html>', {}, '403 Forbidden'],
  ['nothing', '', {}, undefined],
  ['null', 'null', {}, 'null'],
  ['bytes', '\u0000\u001b[31mred\u202e', {}, '[31mred'],
  ['a compressed body', 'xyz', { 'content-encoding': 'gzip' }, undefined],
])('the reason of a Web Push refusal keeps what %s says', (_who, body, headers, said) => {
  expect(saidBy(body, headers)).toBe(said);
});

test('the reason that a provider gives is shortened, and tokens in it are masked', () => {
  expect(shortText('x '.repeat(5_000))?.length).toBeLessThanOrEqual(200);
  expect(shortText(`no subscription /wpush/v2/${'gAAAAbcd'.repeat(20)} here`)).toBe(
    'no subscription … here',
  );
});

test('the reason of a request without an answer names the fault, and no address', () => {
  const lookUp = Object.assign(new Error('getaddrinfo ENOTFOUND a 10.1.2.3'), {
    code: 'ENOTFOUND',
  });
  expect(failureText(new H2Failure('connect', 'cannot connect', lookUp))).toBe(
    'connect: ENOTFOUND',
  );
  const tls = Object.assign(new Error('expired'), { code: 'CERT_HAS_EXPIRED' });
  const failed = new OutboundError('certificate', { cause: tls });
  expect(failureText(failed)).toBe('certificate: CERT_HAS_EXPIRED');
  expect(failureText(new H2Failure('timeout', 'late'))).toBe('timeout');
});

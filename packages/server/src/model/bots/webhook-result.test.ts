import { OutboundError } from '@bellhop/http/outbound';
import { expect, test } from 'vitest';

import { resultOf, resultOfError } from './webhook-result.ts';

const context = { token: 'T'.repeat(32), now: 1_800_000_000 };
const response = (status: number, headers = {}, body = '') => ({
  status,
  headers,
  body: Buffer.from(body),
  timing: { dns: 0, connect: 1, first_byte: 2, total: 3 },
});

test.each([
  [503, { 'retry-after': '7' }, { again: true, afterSeconds: 7 }],
  [429, { 'retry-after': '60' }, { again: true, afterSeconds: 60 }],
  [429, { 'retry-after': '61' }, { again: false }],
  [429, {}, { again: false }],
  [503, { 'retry-after': 'soon' }, { again: false }],
  [500, { 'retry-after': '7' }, { again: false }],
  [410, {}, { again: false, isGone: true }],
  [404, {}, { again: false, isGone: false, fault: 'status' }],
  [199, {}, { again: false }],
  [300, {}, { again: false, fault: 'redirect' }],
])('a response with status %s and headers %j', (status, headers, expected) => {
  expect(resultOf(response(status, headers), context)).toMatchObject(expected);
});

test.each([
  ['timeout', { again: true, reason: 'The endpoint did not answer in time.' }],
  ['closed', { again: true, reason: 'The endpoint could not be reached or broke off.' }],
  ['dns', { again: true }],
  ['address_forbidden', { again: false, reason: 'why' }],
  ['too_large', { again: false, reason: 'why' }],
  ['not_http', { again: false, reason: 'The answer of the endpoint cannot be read.' }],
] as const)('a call without a complete response: %s', (fault, expected) => {
  expect(resultOfError(new OutboundError(fault, { sentence: 'why' }), context)).toMatchObject({
    kind: 'fault',
    fault,
    ...expected,
  });
});

test('a canceled call has no result', () => {
  const error = new OutboundError('canceled');
  expect(() => resultOfError(error, context)).toThrow(error);
});

test('an error response that is too long has the result of its status', () => {
  const error = new OutboundError('too_large', { response: response(502, {}, 'page') });
  expect(resultOfError(error, context)).toMatchObject({
    fault: 'status',
    reason: 'The endpoint answered with status 502.',
    excerpt: 'page',
  });
});

test('an error response whose body cannot be decoded has the result of its status', () => {
  const error = new OutboundError('bad_encoding', { response: response(502) });
  expect(resultOfError(error, context)).toMatchObject({
    fault: 'status',
    reason: 'The endpoint answered with status 502.',
  });
});

test('an internal error is reported by its name only', () => {
  const result = resultOfError(new TypeError('secret of ours'), context);
  expect(result).toEqual({
    kind: 'fault',
    fault: 'internal',
    again: false,
    reason: 'The request could not be made (TypeError).',
  });
});

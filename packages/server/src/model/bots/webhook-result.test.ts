import { OutboundError } from '@bellhop/http/outbound';
import { expect, test } from 'vitest';

import { redact, resultOfError, resultOfResponse } from './webhook-result.ts';

const context = { token: 'T'.repeat(32), now: 1_800_000_000 };
const response = (status: number, headers = {}, body = '') => ({
  status,
  headers,
  body: Buffer.from(body),
  timing: { dns: 0, connect: 1, first_byte: 2, total: 3 },
});

test.each([
  [503, { 'retry-after': '7' }, { kind: 'unavailable', afterSeconds: 7 }],
  [429, { 'retry-after': '60' }, { kind: 'unavailable', afterSeconds: 60 }],
  [429, { 'retry-after': '61' }, { kind: 'failure' }],
  [429, {}, { kind: 'failure' }],
  [503, { 'retry-after': 'soon' }, { kind: 'failure' }],
  [500, { 'retry-after': '7' }, { kind: 'failure' }],
  [410, {}, { kind: 'failure', isGone: true }],
  [404, {}, { kind: 'failure', isGone: false, isBroken: true }],
  [199, {}, { kind: 'failure' }],
  [300, {}, { kind: 'failure' }],
])('a response with status %s and headers %j', (status, headers, expected) => {
  expect(resultOfResponse(response(status, headers), context)).toMatchObject(expected);
});

test.each([
  ['timeout', { kind: 'unavailable', isBroken: true }],
  ['connection', { kind: 'unavailable', isBroken: true }],
  ['dns', { kind: 'unavailable', isBroken: false }],
  ['canceled', { kind: 'unavailable', isBroken: false }],
  ['blocked', { kind: 'failure', isBroken: true, reason: 'why' }],
  ['too_large', { kind: 'failure', isBroken: false, reason: 'why' }],
  ['unreadable', { kind: 'failure', isBroken: true, reason: 'why' }],
] as const)('a call without a complete response: %s', (failure, expected) => {
  expect(resultOfError(new OutboundError(failure, 'why'), context)).toMatchObject(expected);
});

test('an error response that is too long has the result of its status', () => {
  const error = new OutboundError('too_large', 'long', { response: response(502, {}, 'page') });
  expect(resultOfError(error, context)).toMatchObject({
    kind: 'failure',
    reason: 'The endpoint answered with status 502.',
    excerpt: 'page',
  });
});

test('an error response whose body cannot be decoded has the result of its status', () => {
  const error = new OutboundError('unreadable', 'why', { response: response(502) });
  expect(resultOfError(error, context)).toMatchObject({
    kind: 'failure',
    reason: 'The endpoint answered with status 502.',
  });
});

test('an internal error is reported by its name only', () => {
  const result = resultOfError(new TypeError('secret of ours'), context);
  expect(result).toEqual({
    kind: 'failure',
    fault: 'internal',
    reason: 'The request could not be made (TypeError).',
    isBroken: false,
  });
});

test('a kept response body is truncated and has no secrets and control characters', () => {
  const kept = redact(`a\0b ${context.token} \u001b[31m\n\u{1f600}`, [context.token]);
  expect(kept).toBe('a\ufffdb [redacted] \ufffd[31m\n\u{1f600}');
  expect(redact('x'.repeat(70_000), [])).toHaveLength(16_384);
});

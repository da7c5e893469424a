import { expect, test } from 'vitest';

import { OutboundError } from '../../outbound/outbound-error.ts';
import { redact } from './redact.ts';
import { judgeError, judgeResponse } from './webhook-result.ts';

const asked = { interfaceType: 1, token: 'T'.repeat(32), now: 1_800_000_000 };
const response = (status: number, headers = {}, body = '') => ({
  status,
  headers,
  body: Buffer.from(body),
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
])('status %s with %j', (status, headers, expected) => {
  expect(judgeResponse(response(status, headers), asked)).toMatchObject(expected);
});

test.each([
  ['timeout', { kind: 'unavailable', isBroken: true }],
  ['connection', { kind: 'unavailable', isBroken: true }],
  ['dns', { kind: 'unavailable', isBroken: false }],
  ['canceled', { kind: 'unavailable', isBroken: false }],
  ['blocked', { kind: 'failure', isBroken: true, reason: 'why' }],
  ['too_large', { kind: 'failure', isBroken: false, reason: 'why' }],
] as const)('without an answer: %s', (failure, expected) => {
  expect(judgeError(new OutboundError(failure, 'why'), asked)).toMatchObject(expected);
});

test('an error page that is too long counts by its status', () => {
  const error = new OutboundError('too_large', 'long', { response: response(502, {}, 'page') });
  expect(judgeError(error, asked)).toMatchObject({
    kind: 'failure',
    reason: 'The endpoint answered with status 502.',
    excerpt: 'page',
  });
});

test('an error of ours is named by its type only', () => {
  const verdict = judgeError(new TypeError('secret of ours'), asked);
  expect(verdict).toEqual({
    kind: 'failure',
    reason: 'The request could not be made (TypeError).',
    isBroken: false,
  });
});

test('what is kept of an answer is short, and fit for a database', () => {
  const kept = redact(Buffer.from(`a\0b ${asked.token} \u001b[31m\n\u{1f600}`), [asked.token]);
  expect(kept).toBe('a\ufffdb [redacted] \ufffd[31m\n\u{1f600}');
  expect(redact(Buffer.from('x'.repeat(70_000)), [])).toHaveLength(16_384);
});

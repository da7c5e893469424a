import { codeless, type Endpoint, type ErrorCode, errors, generalErrors } from '@bellhop/protocol';
import { expect } from 'vitest';
import { z } from 'zod';

import type { RawAnswer } from './raw-request.ts';

/** A stack, a file of ours, or what PostgreSQL says: nothing for a client. */
const INSIDES = /\bat \S+ \(|node_modules|\.ts:\d|\bsyntax error at\b|\bkysely\b|violates/;

/** Expects the envelope, and of an error that the contract declares it, with its status and keys. */
export function expectDocumented(endpoint: Endpoint, answer: RawAnswer, about = ''): void {
  const { status, body, text } = answer;
  const says = `${endpoint.route} ${about}: ${text.slice(0, 300)}`;
  expect(status, says).toBeLessThan(500);
  expect(text, says).not.toMatch(INSIDES);
  expect(answer.headers['content-type'], says).toBe('application/json');
  if (status === 200) {
    expect(body, says).toMatchObject({ result: 'success', msg: '' });
    expect(endpoint.result.safeParse(body).error, says).toBeUndefined();
    return;
  }
  expect(body, says).toMatchObject({ result: 'error', msg: expect.stringMatching(/\S/) });
  const code = body['code'] as ErrorCode;
  const declared: readonly ErrorCode[] = [...generalErrors, ...endpoint.errors];
  expect(declared, says).toContain(code);
  expect(codeless.has(code), says).toBe(false);
  const entry = errors[code];
  if (code !== 'BAD_REQUEST' || status !== 404) expect(status, says).toBe(entry.status);
  if ('extra' in entry) expect(z.object(entry.extra).safeParse(body).error, says).toBeUndefined();
}

export function expectRefused({ status, body }: RawAnswer, code: ErrorCode, about = ''): void {
  expect([body['code'], status], `${about} ${JSON.stringify(body)}`).toEqual([
    code,
    errors[code].status,
  ]);
}

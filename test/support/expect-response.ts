import { type Endpoint, type ErrorCode, errors, generalErrors } from '@bellhop/protocol';
import { expect } from 'vitest';
import { z } from 'zod';

import type { RawResponse } from './raw-request.ts';

/** A stack trace, a source file or an error of PostgreSQL. */
const INTERNAL_DETAIL = /\bat \S+ \(|node_modules|\.ts:\d|\bsyntax error at\b|\bkysely\b|violates/;

/** Expects the documented result, or an error that the contract declares, with its status and keys. */
export function expectDocumentedResponse(
  endpoint: Endpoint,
  answer: RawResponse,
  about = '',
): void {
  const { status, body, text } = answer;
  const message = `${endpoint.route} ${about}: ${text.slice(0, 300)}`;
  expect(status, message).toBeLessThan(500);
  expect(text, message).not.toMatch(INTERNAL_DETAIL);
  expect(answer.headers['content-type'], message).toBe('application/json');
  if (status === (endpoint.redirects ? 302 : 200)) {
    expect(body, message).toMatchObject({ result: 'success', msg: '' });
    expect(endpoint.result.safeParse(body).error, message).toBeUndefined();
    return;
  }
  expect(body, message).toMatchObject({ result: 'error', msg: expect.stringMatching(/\S/) });
  const code = body['code'] as ErrorCode;
  const declared: readonly ErrorCode[] = [...generalErrors, ...endpoint.errors];
  expect(declared, message).toContain(code);
  const entry = errors[code];
  if (code !== 'BAD_REQUEST' || status !== 404) expect(status, message).toBe(entry.status);
  if ('extra' in entry)
    expect(z.object(entry.extra).safeParse(body).error, message).toBeUndefined();
}

/** Expects an error with this code and the status of the code. */
export function expectError({ status, body }: RawResponse, code: ErrorCode, about = ''): void {
  expect([body['code'], status], `${about} ${JSON.stringify(body)}`).toEqual([
    code,
    errors[code].status,
  ]);
}

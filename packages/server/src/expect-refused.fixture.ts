import type { ErrorCode } from '@bellhop/protocol';
import { expect } from 'vitest';

import type { TestResponse } from './test-chat.fixture.ts';

/** Expects an error with status 400 and, if given, this code. Returns the body of the response. */
export async function expectRefused(
  response: Promise<TestResponse>,
  code?: ErrorCode,
): Promise<TestResponse['body']> {
  const { status, body } = await response;
  expect([status, body['result']]).toEqual([400, 'error']);
  if (code !== undefined) expect(body['code']).toBe(code);
  return body;
}

/** The error of a client's call: the code and a message, or how it reads. For `toMatchObject`. */
export const refusedWith = (message: string | RegExp, code: ErrorCode = 'BAD_REQUEST') => ({
  code,
  message: typeof message === 'string' ? message : (expect.stringMatching(message) as string),
});

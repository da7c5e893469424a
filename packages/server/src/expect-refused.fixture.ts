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

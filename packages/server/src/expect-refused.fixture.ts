import type { ErrorCode } from '@bellhop/protocol';
import { expect } from 'vitest';

import type { Answer } from './test-chat.fixture.ts';

/** Expects an error with status 400, and this code if given. Returns the body of the response. */
export async function expectRefused(
  answer: Promise<Answer>,
  code?: ErrorCode,
): Promise<Answer['body']> {
  const { status, body } = await answer;
  expect([status, body['result']]).toEqual([400, 'error']);
  if (code !== undefined) expect(body['code']).toBe(code);
  return body;
}

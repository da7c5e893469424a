import { expect, test } from 'vitest';

import { faultOf } from './api-call.ts';
import type { Operation } from './operations.ts';

const operation = {
  parameters: [
    { name: 'server', in: 'path', schema: { type: 'string' } },
    { name: 'narrow', in: 'query', schema: { type: 'array', items: {} } },
  ],
} as unknown as Operation;

test.each([
  [{ server: 'chat.example.com', narrow: '[]' }, undefined],
  [{ server: '...' }, undefined],
  [{ server: '.' }, 'server must not be ".".'],
  [{ server: '..' }, 'server must not be "..".'],
  [{ server: 'a', narrow: '[' }, 'narrow is not valid JSON.'],
])('a call with %j is refused: %s', (values, fault) => {
  expect(faultOf(operation, values)).toBe(fault);
});

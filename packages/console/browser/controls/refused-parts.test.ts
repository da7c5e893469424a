import { ApiError } from '@bellhop/protocol';
import { expect, test } from 'vitest';

import { refusedParts } from './refused-parts.ts';

test('refusedParts names each address that could not be invited, with its reason', () => {
  const errors = [
    ['.s@x', 'Enter a valid email address.', false],
    ['ann@x.de', 'Already has an account.', false],
  ];
  const error = new ApiError('INVITATION_FAILED', { data: { errors } });
  expect(refusedParts(error)).toEqual([
    '.s@x: Enter a valid email address.',
    'ann@x.de: Already has an account.',
  ]);
});

test.each([
  new Error('x'),
  new ApiError('BAD_REQUEST'),
  new ApiError('INVITATION_FAILED', { data: { errors: ['x', [1, 2], null] } }),
])('refusedParts is empty for an error without such parts: %s', (error) => {
  expect(refusedParts(error)).toEqual([]);
});

import { ApiError, badRequest } from '@bellhop/protocol';
import { expect, test } from 'vitest';

import { refusedField } from './refused-field.ts';

test('an error about a parameter belongs to its field, without its name', () => {
  const error = badRequest('payload_url: not an address', { var_name: 'payload_url' });
  expect(refusedField(error)).toEqual({ name: 'payload_url', problem: 'not an address' });
});

test('refused invitations belong to the field of the addresses, each with its reason', () => {
  const errors = [
    ['a@', 'Enter a valid email address.', false],
    ['b@x.org', 'Already has an account.', false],
  ];
  expect(refusedField(new ApiError('INVITATION_FAILED', { data: { errors } }))).toEqual({
    name: 'invitee_emails',
    problem: 'a@: Enter a valid email address.\nb@x.org: Already has an account.',
  });
});

test('other errors belong to no field', () => {
  expect(refusedField(badRequest('Not now'))).toBeUndefined();
  expect(refusedField(new Error('No answer'))).toBeUndefined();
});

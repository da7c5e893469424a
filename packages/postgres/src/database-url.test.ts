import { expect, test } from 'vitest';

import { checkedDatabaseUrl } from './database-url.ts';
import { openDatabase } from './open-database.ts';

test.each([
  's3c/ret',
  's3c#ret',
  's3c?ret',
  '12/ret',
  '12#ret',
  '12?ret',
  'p@s3c/ret',
  's3c%ret',
  's3c@ret',
])('the password %s is refused unescaped, and no part of it is in the error', async (password) => {
  const url = `postgresql://bell:${password}@127.0.0.1:1/chat`;
  const error = await openDatabase(url).catch((reason: unknown) => String(reason));
  expect(error).toContain('write / as %2F');
  expect(error).not.toMatch(/s3c|ret\b|12/);
});

test('an escaped password is sent as it is', () => {
  const url = `postgresql://bell:${encodeURIComponent('s/3?c#r@e:t%')}@db.example.com/chat`;
  expect(checkedDatabaseUrl(url)).toBe(url);
});

test.each([
  ['', ''],
  ['?host=/run/postgresql', '?host=/run/postgresql'],
  ['?sslmode=require', '?sslmode=verify-full'],
  [
    '?application_name=x&sslmode=verify-ca&sslrootcert=/ca.pem',
    '?application_name=x&sslmode=verify-full&sslrootcert=/ca.pem',
  ],
  ['?sslmode=verify-full', '?sslmode=verify-full'],
  ['?sslmode=no-verify', '?sslmode=no-verify'],
  ['?sslmode=disable', '?sslmode=disable'],
])('the options "%s" are read as "%s"', (written, read) => {
  expect(checkedDatabaseUrl(`postgresql://bell@db/chat${written}`)).toBe(
    `postgresql://bell@db/chat${read}`,
  );
});

test.each(['prefer', 'allow', 'verify_full', ''])('sslmode=%s is refused', (mode) => {
  expect(() => checkedDatabaseUrl(`postgresql://bell@db/chat?sslmode=${mode}`)).toThrow(
    'sslmode must be one of disable, no-verify, require, verify-ca, verify-full',
  );
});

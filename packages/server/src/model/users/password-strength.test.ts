import { describe, expect, test } from 'vitest';

import { checkPassword } from './password-strength.ts';

describe('a password', () => {
  test.each([
    'a long password',
    'correct horse battery',
    'Tr0ub4dour&3',
    'x7#qLp',
    'über straße 9',
  ])('is accepted if it takes many guesses: %s', async (password) => {
    await expect(checkPassword(password)).resolves.toBeUndefined();
  });

  test.each([
    'password',
    'password123',
    'qwertyuiop',
    'aaaaaaaaaaaa',
    '12345678',
    'hamlet',
    'x7#qL',
  ])('is refused if it takes few guesses or is short: %s', async (password) => {
    await expect(checkPassword(password)).rejects.toThrow('The password is too weak.');
  });

  test.each(['a4@s5$e3l1i!o0', '($@!1|73', 'p4ssw0rd', '1/1/1991'])(
    'of 100 characters that repeats %s takes less than a second of processor time',
    async (part) => {
      await checkPassword('a long password');
      const start = process.cpuUsage();
      await checkPassword(part.repeat(13).slice(0, 100)).catch(() => {});
      const { user, system } = process.cpuUsage(start);
      expect((user + system) / 1000).toBeLessThan(1000);
    },
  );
});

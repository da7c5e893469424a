import { expect, test } from 'vitest';

import { createServer } from '../../server.ts';
import { startTestChat } from '../../test-chat.fixture.ts';
import { WrongSecretError } from './require-secret.ts';

test('a server refuses to start with another secret than that of the stored keys, and names the variable', async () => {
  await using chat = await startTestChat();
  await using db = await chat.openDatabase();
  const { config, log } = chat.server.app;
  const other = { ...config, secret: 'another secret for tests, not that of the data' };
  const error = await createServer({ config: other, db, log }).catch((e: unknown) => e);
  expect(error).toBeInstanceOf(WrongSecretError);
  expect(String(error)).toMatch(/BELLHOP_SECRET is not the secret .* Set the one/);
  expect(String(error)).not.toContain(other.secret);
});

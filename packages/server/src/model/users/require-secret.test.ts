import { expect, test } from 'vitest';

import { secretsOf, WrongSecretError } from '../../engine/secrets.ts';
import { createServer } from '../../server.ts';
import { startTestChat } from '../../test-chat.fixture.ts';

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

test('a server whose data was restored from that of another is not ready, and answers no login with 500', async () => {
  await using chat = await startTestChat();
  const ada = await chat.addPerson('Ada', undefined, { password: 'a password of Ada' });
  const { kysely } = chat.server.app.db;
  const foreign = secretsOf('the secret of another server, which this one does not have');
  await kysely
    .updateTable('realm_user')
    .set({ api_key_sealed: foreign.seal('A'.repeat(32)) })
    .execute();
  const ready = await fetch(`${chat.url}/readyz`);
  expect(ready.status).toBe(503);
  expect(await ready.json()).toEqual({
    status: 'wrong secret',
    msg: expect.stringMatching(/^BELLHOP_SECRET is not the secret .*\.$/),
  });
  const login = await chat.ask(null, 'POST /fetch_api_key', {
    username: ada.user.delivery_email,
    password: 'a password of Ada',
  });
  expect(login.status).toBe(503);
  expect(login.body).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
});

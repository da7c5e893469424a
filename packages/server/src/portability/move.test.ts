import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { download } from '../resources/uploads/uploads.fixture.ts';
import { startTestChat } from '../test-chat.fixture.ts';
import { fillRealm } from './filled-realm.fixture.ts';
import {
  answersFor,
  clientOf,
  exportOf,
  importInto,
  moveIn,
  temporaryFolder,
  thumbnailsOf,
} from './move.fixture.ts';

test('an organization gives the same answers over the API after an export and an import', async () => {
  await using chat = await startTestChat();
  const { file } = await fillRealm(chat);
  const { hamlet, cordelia, iago } = chat.people;
  const people = [hamlet, cordelia, iago];
  await thumbnailsOf(chat);
  const before = [];
  for (const { email } of people) before.push(await answersFor(chat, await clientOf(chat, email)));
  await using folder = await temporaryFolder();
  const out = join(folder.path, 'export');
  await exportOf(chat, out);

  const { counts } = await importInto(chat, out);
  expect(Object.keys(counts).filter((name) => name.includes('left out'))).toEqual([]);
  await moveIn(chat);
  await thumbnailsOf(chat);
  for (const [at, { email }] of people.entries()) {
    const moved = await clientOf(chat, email);
    expect(moved.api_key).not.toBe(people[at]?.api_key);
    expect(await answersFor(chat, moved)).toEqual(before[at]);
  }
  const moved = await clientOf(chat, hamlet.email);
  const { attachments } = (await chat.ask(moved as never, 'GET /attachments')).body as {
    attachments: { path_id: string }[];
  };
  expect(`/user_uploads/${attachments[0]?.path_id}`).not.toBe(file);
  const got = await download(chat, moved, `/user_uploads/${attachments[0]?.path_id}`);
  expect([got.status, await got.text()]).toEqual([200, 'Words, words, words']);
});

test('an export has no password, API key or token, and only its owner may read it', async () => {
  await using chat = await startTestChat();
  await fillRealm(chat);
  const { kysely } = chat.server.app.db;
  await kysely.updateTable('realm_user').set({ password_hash: 'a hash of a password' }).execute();
  await using folder = await temporaryFolder();
  const out = join(folder.path, 'export');
  await exportOf(chat, out);
  const { mode } = await stat(out);
  expect(mode & 0o777).toBe(0o700);
  const keys = Object.values(chat.people).map(({ api_key }) => api_key);
  const { token } = (
    (await chat.people.hamlet.client.bots.list({})) as unknown as { bots: { api_key: string }[] }
  ).bots.map(({ api_key }) => ({ token: api_key }))[0] ?? { token: 'no bot' };
  const names = (await readdir(out, { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  );
  expect(names.length).toBeGreaterThan(8);
  for (const entry of names) {
    const text = await readFile(join(entry.parentPath, entry.name), 'utf8');
    for (const secret of [
      ...keys,
      token,
      'a hash of a password',
      'api_key',
      'password_hash',
      '_sealed',
    ])
      expect(text).not.toContain(secret);
  }
});

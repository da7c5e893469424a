import { mkdir, mkdtempDisposable, readdir, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { newIdentity } from '@bellhop/device';
import { expect, test } from 'vitest';

import { type PhoneEntry, PhoneStore } from './phone-store.ts';

const phone = (name: string): PhoneEntry => ({
  name,
  kind: 'fcm',
  server_url: 'http://127.0.0.1:1',
  email: 'ann@example.com',
  api_key: 'an API key',
  bouncer_public_key: 'a public key',
  simulator: { control_url: 'http://127.0.0.1:2', control_token: 'a control token' },
  token: `token of ${name}`,
  app_id: 'org.example.app',
  identity: newIdentity(),
});
const newDirectory = () => mkdtempDisposable(join(tmpdir(), 'bellhop-phones-'));

test('phones that are added at the same time are all kept, and one of two with the same name', async () => {
  await using directory = await newDirectory();
  const names = Array.from({ length: 20 }, (_, at) => `phone ${at}`);
  // Each as a process of its own would.
  await Promise.all(names.map((name) => new PhoneStore(directory.path).add(phone(name))));
  const twice = await Promise.allSettled(
    ['a', 'b'].map((app_id) => new PhoneStore(directory.path).add({ ...phone('../x'), app_id })),
  );
  expect(twice.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  const kept = await new PhoneStore(directory.path).list();
  expect(kept.map(({ name }) => name).toSorted()).toEqual([...names, '../x'].toSorted());
});

test('the file of a phone is for its owner only, whatever characters and length its name has', async () => {
  await using directory = await newDirectory();
  const store = new PhoneStore(join(directory.path, 'data'));
  const names = ['..', 'a/b', 'Ännchens Gerät', 'x'.repeat(500)];
  for (const name of names) await store.add(phone(name));
  const files = await readdir(join(directory.path, 'data', 'phones'));
  for (const file of files.filter((one) => one.endsWith('.json')))
    expect((await stat(join(directory.path, 'data', 'phones', file))).mode & 0o777).toBe(0o600);
  for (const name of names) {
    expect(await store.find(name)).toMatchObject({ name, token: `token of ${name}` });
    await store.remove(name);
  }
  expect(await store.list()).toEqual([]);
});

test('the phones of a phones.json of earlier versions become files of their own', async () => {
  await using directory = await newDirectory();
  const old = [phone('pixel'), phone('iphone')];
  await writeFile(join(directory.path, 'phones.json'), JSON.stringify({ phones: old }));
  const store = new PhoneStore(directory.path);
  expect(await store.list()).toEqual([old[1], old[0]]);
  expect(await readdir(directory.path)).toEqual(['phones']);
  const rotated = { ...phone('pixel'), token: 'a new token' };
  await store.replace(rotated);
  expect(await store.list()).toEqual([old[1], rotated]);
});

test('a phone is changed where it is kept, and a new one is kept in the first directory', async () => {
  await using directory = await newDirectory();
  const [here, there] = [join(directory.path, 'here'), join(directory.path, 'there')];
  await new PhoneStore(there).add(phone('theirs'));
  const store = new PhoneStore(here, there);
  await expect(store.add(phone('theirs'))).rejects.toThrow('There is a phone theirs');
  await store.add(phone('ours'));
  await store.replace({ ...phone('theirs'), token: 'a new token' });
  expect(await new PhoneStore(there).list()).toMatchObject([{ token: 'a new token' }]);
  expect(await new PhoneStore(here).list()).toMatchObject([{ name: 'ours' }]);
});

test('a damaged file is named, without a secret of it', async () => {
  await using directory = await newDirectory();
  await mkdir(join(directory.path, 'phones'));
  await writeFile(join(directory.path, 'phones', 'x.json'), '{"api_key": "a secret');
  const listed = new PhoneStore(directory.path).list();
  await expect(listed).rejects.toThrow(/^[^{}]*x\.json is damaged: remove it[^{}]*$/);
});

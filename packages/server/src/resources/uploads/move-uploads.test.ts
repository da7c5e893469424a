import { randomBytes } from 'node:crypto';

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { FileStoreFault } from '../../files/file-store.ts';
import { type S3Server, startS3 } from '../../files/s3-server.fixture.ts';
import type { FilePlaceName, FilesCount } from '../../model/uploads/place-queries.ts';
import { startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { type MoveOptions, moveUploads } from './move-uploads.ts';
import { removeLooseObjects } from './remove-objects.ts';
import { basic, download, storedCounts, upload } from './uploads.fixture.ts';

let store: S3Server;
let chat: TestChat;
beforeAll(async () => {
  store = await startS3();
  // It knows the store, and new files go to the database.
  chat = await startTestChat({ env: { ...store.env, BELLHOP_FILES: 'database' } });
});
afterEach(async () => {
  store.trouble = () => undefined;
  const { kysely } = chat.server.app.db;
  await kysely.deleteFrom('upload').execute();
  await removeLooseObjects(options());
});
afterAll(async () => {
  await chat[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
});

function options() {
  const { app } = chat.server;
  return {
    db: app.db.kysely,
    transact: <T>(_realm: unknown, work: Parameters<typeof app.db.transaction<T>>[0]) =>
      app.db.transaction(work),
    objects: app.files.objects(),
    now: app.now,
    signal: new AbortController().signal,
  };
}
const progress: { done: FilesCount; all: FilesCount }[] = [];
const missing: string[] = [];
function move(to: FilePlaceName, others: Partial<MoveOptions> = {}): Promise<FilesCount> {
  progress.length = 0;
  missing.length = 0;
  return moveUploads({
    ...options(),
    to,
    onProgress: (done, all) => progress.push({ done, all }),
    onMissing: (path) => missing.push(path),
    ...others,
  });
}

const bytes = (size: number) => Uint8Array.from({ length: size }, (_, at) => (at * 31) % 251);
const sizes = [0, 1, 600_000, 2_500_000];
const uploadAll = () =>
  Promise.all(sizes.map((size) => upload(chat.people.hamlet, bytes(size), `${size}.bin`)));
async function expectAllThere(urls: readonly string[]): Promise<void> {
  for (const [at, url] of urls.entries()) {
    const got = new Uint8Array(await (await download(chat, chat.people.hamlet, url)).arrayBuffer());
    expect(Buffer.compare(got, bytes(sizes[at] ?? 0)), url).toBe(0);
  }
}
const total = sizes.reduce((sum, size) => sum + size, 0);
const rows = () =>
  chat.server.app.db.kysely.selectFrom('upload').selectAll().orderBy('id').execute();

test('all files move to the store and back while a server runs, with their hashes and their progress', async () => {
  const urls = await uploadAll();
  // Files of former versions have none.
  await chat.server.app.db.kysely.updateTable('upload').set({ sha256: null }).execute();
  const { chunks } = await storedCounts(chat);
  expect(await move('s3')).toEqual({ files: 4, bytes: total });
  expect(progress[0]).toEqual({ done: { files: 0, bytes: 0 }, all: { files: 4, bytes: total } });
  expect(progress.at(-1)?.done).toEqual({ files: 4, bytes: total });
  expect(await storedCounts(chat)).toEqual({ files: 4, chunks: 0 });
  expect([...store.objects.values()].map(({ length }) => length).toSorted((a, b) => a - b)).toEqual(
    sizes,
  );
  for (const row of await rows()) expect(row.sha256).toHaveLength(32);
  await expectAllThere(urls);

  expect(await move('s3')).toEqual({ files: 0, bytes: 0 });
  expect(await move('database')).toEqual({ files: 4, bytes: total });
  expect(await storedCounts(chat)).toEqual({ files: 4, chunks });
  await expectAllThere(urls);
  await removeLooseObjects(options());
  await expect.poll(() => store.objects.size).toBe(0);
});

test('an interrupted move ends after the files under way, and another goes on with the rest', async () => {
  const urls = await Promise.all([uploadAll(), uploadAll()]);
  const stopping = new AbortController();
  const done = await move('s3', {
    signal: stopping.signal,
    onProgress: ({ files }) => files === 1 && stopping.abort(),
  });
  expect(done.files).toBeGreaterThan(0);
  expect(done.files).toBeLessThan(8);
  expect(store.objects.size).toBe(done.files);
  await Promise.all(urls.map(expectAllThere));
  expect((await move('s3')).files).toBe(8 - done.files);
  expect((await storedCounts(chat)).chunks).toBe(0);
  await Promise.all(urls.map(expectAllThere));
});

test('what a move leaves behind when it is killed is replaced by the next one', async () => {
  const urls = await uploadAll();
  await move('s3');
  const { kysely } = chat.server.app.db;
  for (const { realm_id, id } of await rows())
    await kysely
      .insertInto('upload_chunk')
      .values({ realm_id, upload_id: id, number: 0, bytes: Buffer.from('half') })
      .execute();
  await expectAllThere(urls);
  await move('database');
  await expectAllThere(urls);
});

test('a file whose bytes come back changed stays where it is, in both directions', async () => {
  const urls = await uploadAll();
  store.trouble = ({ method }) => (method === 'PUT' ? 'damages' : undefined);
  await expect(move('s3')).rejects.toThrow(/are not those of the file. It stays where it is/);
  store.trouble = () => undefined;
  await expectAllThere(urls);
  // The two smallest have nothing that could be damaged: their bytes are zeros.
  await removeLooseObjects(options());
  await expect.poll(() => store.objects.size).toBe(2);
  await move('s3');
  const [key = '', content] =
    [...store.objects].find(([, { length }]) => length === 2_500_000) ?? [];
  store.objects.set(key, Buffer.alloc(2_500_000));
  await expect(move('database')).rejects.toThrow(FileStoreFault);
  expect((await rows()).filter(({ object_key }) => object_key === key)).toHaveLength(1);
  store.objects.set(key, content ?? Buffer.alloc(0));
  await move('database');
  await expectAllThere(urls);
});

test('a store that goes down ends a move with its fault, and what was moved stays moved', async () => {
  const urls = await uploadAll();
  store.trouble = () => (store.objects.size >= 2 ? { answer: [403, 'AccessDenied'] } : undefined);
  await expect(move('s3')).rejects.toThrow('403 AccessDenied');
  store.trouble = () => undefined;
  await expectAllThere(urls);
  await move('s3');
  await expectAllThere(urls);
});

test('a file that is deleted during its move is gone, and one whose object is missing is named and left', async () => {
  const [, , url = ''] = await uploadAll();
  store.trouble = ({ method }) => {
    if (method === 'PUT') void chat.server.app.db.kysely.deleteFrom('upload').execute();
    return undefined;
  };
  await move('s3');
  expect(missing).toEqual([]);
  store.trouble = () => undefined;
  await removeLooseObjects(options());
  expect((await download(chat, chat.people.hamlet, url)).status).toBe(404);
  await expect.poll(() => store.objects.size).toBe(0);

  const urls = await uploadAll();
  await move('s3');
  const lost = (await rows()).find(({ name }) => name === '1.bin');
  store.objects.delete(lost?.object_key ?? '');
  expect((await move('database')).files).toBe(3);
  expect(missing).toEqual([urls[1]]);
  expect((await rows()).filter(({ object_key }) => object_key !== null)).toHaveLength(1);
});

test('a download goes on from the new place of a file that is moved meanwhile', async () => {
  // More than the buffers of a connection hold.
  const content = randomBytes(16_000_000);
  const { hamlet } = chat.people;
  const url = await upload(hamlet, content, 'large.bin');
  for (const to of ['s3', 'database'] as const) {
    const answer = await fetch(`${chat.url}${url}`, { headers: { authorization: basic(hamlet) } });
    const reader = answer.body?.getReader();
    const first = await reader?.read();
    await move(to);
    await removeLooseObjects(options());
    const parts = [first?.value ?? new Uint8Array()];
    for (;;) {
      const part = await reader?.read();
      if (!part?.value) break;
      parts.push(part.value);
    }
    expect(Buffer.compare(Buffer.concat(parts), content)).toBe(0);
  }
}, 60_000);

import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { FileStoreFault } from '../../files/file-store.ts';
import { type S3Server, startS3 } from '../../files/s3-server.fixture.ts';
import { imageOf } from '../../images/images.fixture.ts';
import { startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { putObject } from './put-object.ts';
import { removeLooseObjects } from './remove-objects.ts';
import { basic, download, storedCounts, upload } from './uploads.fixture.ts';

let store: S3Server;
let chat: TestChat;
let now = Math.floor(Date.now() / 1000);
beforeAll(async () => {
  store = await startS3();
  // A request that needs two connections at once fails.
  chat = await startTestChat({ env: store.env, now: () => now, maxConnections: 1 });
});
afterEach(() => {
  store.trouble = () => undefined;
});
afterAll(async () => {
  await chat[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
});

const bytes = (size: number) => Uint8Array.from({ length: size }, (_, at) => (at * 31) % 251);
const tokenOf = (url: string) => url.split('/')[3] ?? '';
const rowOf = (url: string) =>
  chat.server.app.db.kysely
    .selectFrom('upload')
    .selectAll()
    .where('token', '=', tokenOf(url))
    .executeTakeFirstOrThrow();
const keyOf = async (url: string) => (await rowOf(url)).object_key ?? '';
function looseOptions() {
  const { app } = chat.server;
  return {
    db: app.db.kysely,
    transact: <T>(_realm: unknown, work: Parameters<typeof app.db.transaction<T>>[0]) =>
      app.db.transaction(work),
    objects: app.files.objects(),
    now: () => now,
  };
}
const removeLoose = () => removeLooseObjects(looseOptions());
const looseObjects = async () =>
  (await chat.server.app.db.kysely.selectFrom('loose_object').select('key').execute()).length;

test.each([0, 3, 3_000_000])(
  'a file of %i bytes is an object, and downloaded from another node whole and in part',
  async (size) => {
    const { hamlet, cordelia } = chat.people;
    const content = bytes(size);
    const url = await upload(hamlet, content, 'photo.png');
    const key = await keyOf(url);
    expect(key).toMatch(new RegExp(`^${chat.realm.id}/[A-Za-z0-9]{32}$`));
    expect(key).not.toContain(tokenOf(url));
    expect(store.objects.get(key)?.equals(content)).toBe(true);
    expect((await storedCounts(chat)).chunks).toBe(0);
    expect(await looseObjects()).toBe(0);

    const other = await chat.anotherNode();
    const whole = await download(other, hamlet, url);
    expect(whole.headers.get('content-type')).toBe('image/png');
    expect(whole.headers.get('content-length')).toBe(String(size));
    expect(whole.headers.get('content-disposition')).toMatch(/^inline; filename="photo.png"/);
    expect(Buffer.compare(new Uint8Array(await whole.arrayBuffer()), content)).toBe(0);
    if (size > 0) {
      const part = await download(chat, hamlet, url, { range: 'bytes=-2' });
      expect(part.status).toBe(206);
      expect(new Uint8Array(await part.arrayBuffer())).toEqual(content.subarray(-2));
    }
    expect((await download(chat, cordelia, url)).status).toBe(404);
    expect((await download(chat, null, url)).status).toBe(401);
  },
);

test('a deleted file takes its object along, and the deletion is repeated while the store is down', async () => {
  const { hamlet } = chat.people;
  const url = await upload(hamlet);
  const key = await keyOf(url);
  const { attachments } = await hamlet.client.attachments.list();
  store.trouble = () => ({ answer: [503, 'SlowDown'] });
  await hamlet.client.attachments.remove({ attachment_id: attachments[0]?.id ?? 0 });
  expect((await download(chat, hamlet, url)).status).toBe(404);
  await expect(removeLoose()).rejects.toThrow(FileStoreFault);
  expect(store.objects.has(key)).toBe(true);
  store.trouble = () => undefined;
  await removeLoose();
  await expect.poll(() => store.objects.has(key)).toBe(false);
  await expect.poll(looseObjects).toBe(0);
});

test('an object goes with the row of its file, however that is deleted', async () => {
  const lear = await chat.addPerson('lear');
  const key = await keyOf(await upload(lear));
  const { kysely } = chat.server.app.db;
  await sql`delete from upload where owner_id = ${lear.user.id}`.execute(kysely);
  await removeLoose();
  await expect.poll(() => store.objects.has(key)).toBe(false);
});

test('an object whose upload ended before its file had it is removed after three hours, not before', async () => {
  const content = Buffer.from('never acknowledged');
  const sha256 = Buffer.from(await crypto.subtle.digest('SHA-256', content));
  const stored = {
    size: content.length,
    sha256,
    read: async function* read() {
      yield content;
    },
  };
  // As if the program ended before the object is given to a file.
  const ended = Promise.withResolvers<string>();
  void putObject(looseOptions(), chat.realm.id, stored, async (key) => {
    ended.resolve(key);
    await new Promise(() => {});
  });
  const key = await ended.promise;
  now += 10_799;
  await removeLoose();
  expect(store.objects.has(key)).toBe(true);
  now += 1;
  await removeLoose();
  await expect.poll(() => store.objects.has(key)).toBe(false);
});

test.each([
  ['is down', () => 'cut' as const],
  ['answers 500', () => ({ answer: [500, 'InternalError'] as const })],
  ['refuses the credentials', () => ({ answer: [403, 'AccessDenied'] as const })],
])(
  'a store that %s: uploads and downloads are answered 503, and nothing is stored',
  async (_, trouble) => {
    const { hamlet } = chat.people;
    const url = await upload(hamlet, 'from before');
    const before = await storedCounts(chat);
    store.trouble = trouble;
    await expect(upload(hamlet)).rejects.toMatchObject({
      status: 503,
      code: 'SERVICE_UNAVAILABLE',
      message: expect.stringContaining('store of files; nothing was changed'),
    });
    const got = await download(chat, hamlet, url);
    expect(got.status).toBe(503);
    expect(await got.json()).toMatchObject({ result: 'error', code: 'SERVICE_UNAVAILABLE' });
    // What needs no bytes is answered.
    const head = { method: 'HEAD', headers: { authorization: basic(hamlet) } };
    expect((await fetch(`${chat.url}${url}`, head)).status).toBe(200);
    store.trouble = () => undefined;
    expect(await storedCounts(chat)).toEqual(before);
    expect(await (await download(chat, hamlet, url)).text()).toBe('from before');
    expect(chat.logged()).not.toContain(store.env['BELLHOP_S3_SECRET_ACCESS_KEY']);
  },
);

test('a file whose object is gone is answered 404, and logged', async () => {
  const { hamlet } = chat.people;
  const url = await upload(hamlet, 'x', 'lost.txt');
  const key = await keyOf(url);
  store.objects.delete(key);
  const got = await download(chat, hamlet, url);
  expect(got.status).toBe(404);
  expect(await got.json()).toMatchObject({
    code: 'NOT_FOUND',
    msg: expect.stringContaining('The content of this file is missing') as string,
  });
  expect(chat.logged()).toContain(`reading ${key}`);
});

test('an image in the store gets its thumbnail', async () => {
  const { hamlet } = chat.people;
  const url = await upload(hamlet, new Uint8Array(await imageOf('png', 90, 60)), 'photo.png');
  await expect.poll(async () => (await rowOf(url)).image_state, { timeout: 20_000 }).toBe('ready');
  expect((await rowOf(url)).image_width).toBe(90);
});

test('a start refuses a store that refuses it, and goes on without one that is down', async () => {
  store.trouble = () => ({ answer: [403, 'AccessDenied'] });
  await expect(chat.anotherNode()).rejects.toThrow('403 AccessDenied');
  store.trouble = () => 'cut';
  const node = await chat.anotherNode();
  expect((await fetch(`${node.url}/readyz`)).status).toBe(200);
  expect(chat.logged()).toContain('the store of files does not answer');
});

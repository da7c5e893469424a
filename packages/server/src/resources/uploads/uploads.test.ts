import { once } from 'node:events';
import { connect } from 'node:net';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { CHUNK } from '../../model/uploads/chunks.ts';
import { type Person, startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { basic, download, storedCounts, post, upload } from './uploads.fixture.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startTestChat({ env: { BELLHOP_MAX_UPLOAD_MIB: '2' } });
});
afterAll(() => chat[Symbol.asyncDispose]());

const bytes = (size: number) => Uint8Array.from({ length: size }, (_, at) => (at * 31) % 251);

test('an uploaded file is downloaded with its name and type', async () => {
  const { hamlet } = chat.people;
  const file = new File(['hello'], 'My notes (1).txt', { type: 'text/plain' });
  const answer = await hamlet.client.uploads.create({}, { file });
  const url = expect.stringMatching(
    new RegExp(`^/user_uploads/${chat.realm.id}/[A-Za-z0-9]{24}/My-notes-1.txt$`),
  ) as string;
  expect(answer).toEqual({ url, uri: answer.url, filename: 'My notes (1).txt' });
  const got = await download(chat, hamlet, answer.url);
  expect(await got.text()).toBe('hello');
  expect(got.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(got.headers.get('content-disposition')).toBe(
    `inline; filename="My notes (1).txt"; filename*=UTF-8''My%20notes%20%281%29.txt`,
  );
});

test.each([0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * 1_048_576])(
  'a file of %i bytes is downloaded unchanged from another node, whole and in part',
  async (size) => {
    const { hamlet } = chat.people;
    const content = bytes(size);
    const url = await upload(hamlet, content, 'data.bin');
    const other = await chat.anotherNode();
    const received = new Uint8Array(await (await download(other, hamlet, url)).arrayBuffer());
    expect(Buffer.compare(received, content)).toBe(0);
    if (size < 2) return;
    const part = await download(chat, hamlet, url, { range: `bytes=${size - 2}-` });
    expect(part.status).toBe(206);
    expect(new Uint8Array(await part.arrayBuffer())).toEqual(content.subarray(size - 2));
  },
);

test('a file above the size limit is rejected and leaves nothing in the database', async () => {
  const { hamlet } = chat.people;
  const before = await storedCounts(chat);
  const tooLarge = { code: 'BAD_REQUEST', message: /larger than the allowed maximum of 2 MiB/ };
  await expect(upload(hamlet, bytes(2 * 1_048_576 + 1))).rejects.toMatchObject(tooLarge);
  await expect(upload(hamlet, bytes(3 * 1_048_576))).rejects.toMatchObject(tooLarge);
  expect(await storedCounts(chat)).toEqual(before);
});

test.each(['1/a%00b/c', '1/a/b%00', 'temporary/%00/a', '%00', '%ED%A0%80/a/b'])(
  'a download at /user_uploads/%s is answered with NOT_FOUND',
  async (path) => {
    const got = await download(chat, chat.people.hamlet, `/user_uploads/${path}`);
    expect(got.status).toBe(404);
    expect(await got.json()).toMatchObject({ code: 'NOT_FOUND' });
  },
);

const form = (...files: [name: string, content: string][]) => {
  const body = new FormData();
  for (const [at, [name, content]] of files.entries())
    body.append(`field ${at}`, new File([content], name));
  return body;
};

test.each<[string, () => RequestInit, RegExp]>([
  ['no body', () => ({}), /specify a file/],
  ['a plain form', () => ({ body: new URLSearchParams({ file: 'x' }) }), /multipart/],
  [
    'a form without a file',
    () => ({ body: Object.assign(form()) as FormData }),
    /specify a file|malformed/,
  ],
  ['two files', () => ({ body: form(['a.txt', 'a'], ['b.txt', 'b']) }), /one file at a time/],
  [
    'no boundary',
    () => ({ body: 'x', headers: { 'content-type': 'multipart/form-data' } }),
    /malformed/,
  ],
  [
    'a form that breaks off',
    () => ({
      body: '--x\r\ncontent-disposition: form-data; name="a"; filename="a"\r\n\r\nhello',
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    }),
    /malformed/,
  ],
])(
  'an upload with %s is rejected and leaves nothing in the database',
  async (_case, init, message) => {
    const before = await storedCounts(chat);
    const answer = await post(chat, chat.people.hamlet, init());
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      result: 'error',
      code: 'BAD_REQUEST',
      msg: expect.stringMatching(message),
    });
    expect(await storedCounts(chat)).toEqual(before);
  },
);

test('an upload without a login is rejected and leaves nothing in the database', async () => {
  const before = await storedCounts(chat);
  const answer = await post(chat, null, { body: form(['a.txt', 'x'.repeat(5_000_000)]) });
  expect(answer.status).toBe(401);
  expect(await storedCounts(chat)).toEqual(before);
});

test('an upload that the client breaks off leaves nothing in the database', async () => {
  const before = await storedCounts(chat);
  const { port } = new URL(chat.url);
  const socket = connect(Number(port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write(
    `POST /api/v1/user_uploads HTTP/1.1\r\nhost: chat.test\r\nauthorization: ${basic(chat.people.hamlet)}\r\n` +
      'content-type: multipart/form-data; boundary=x\r\ncontent-length: 2000000\r\n\r\n' +
      '--x\r\ncontent-disposition: form-data; name="a"; filename="a"\r\n\r\n',
  );
  socket.write('x'.repeat(CHUNK + 1));
  await expect.poll(async () => (await storedCounts(chat)).chunks).toBe(before.chunks + 1);
  socket.destroy();
  await expect.poll(() => storedCounts(chat)).toEqual(before);
});

test('the quota limits all files of the realm together', async () => {
  await using small = await startTestChat({ env: { BELLHOP_UPLOAD_QUOTA_MIB: '1' } });
  const { hamlet, cordelia } = small.people;
  expect(await hamlet.client.queues.register({ fetch_event_types: ['realm'] })).toMatchObject({
    realm_upload_quota_mib: 1,
    max_file_upload_size_mib: 100,
  });
  const half = bytes(CHUNK);
  await upload(hamlet, half);
  const quotaExceeded = { code: 'REALM_UPLOAD_QUOTA' };
  await expect(upload(cordelia, bytes(CHUNK + 1))).rejects.toMatchObject(quotaExceeded);
  const both = await Promise.allSettled([upload(hamlet, half), upload(cordelia, half)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(both.find(({ status }) => status === 'rejected')).toMatchObject({ reason: quotaExceeded });
  expect(await storedCounts(small)).toEqual({ files: 2, chunks: 2 });
  expect((await hamlet.client.attachments.list()).upload_space_used).toBe(1_048_576);
});

test('a realm and a user have an upload quota without any configuration', () => {
  const { uploadQuotaMib, userUploadQuotaMib } = chat.server.app.config;
  expect([uploadQuotaMib, userUploadQuotaMib]).toEqual([10_240, 1024]);
});

test('the quota of a user limits the files of that user', async () => {
  await using small = await startTestChat({ env: { BELLHOP_UPLOAD_QUOTA_USER_MIB: '1' } });
  const { hamlet, cordelia } = small.people;
  await upload(hamlet, bytes(CHUNK));
  const quotaExceeded = {
    code: 'REALM_UPLOAD_QUOTA',
    message: expect.stringContaining('quota of 1 MiB') as string,
  };
  await expect(upload(hamlet, bytes(CHUNK + 1))).rejects.toMatchObject(quotaExceeded);
  const half = bytes(CHUNK);
  const both = await Promise.allSettled([upload(hamlet, half), upload(hamlet, half)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  await upload(cordelia, half);
});

/** Begins an upload that sends bytes and does not end. */
async function beginUpload(at: TestChat, person: Person, size: number) {
  const socket = connect(Number(new URL(at.url).port), '127.0.0.1');
  await once(socket, 'connect');
  const answer = once(socket, 'data').then(([data]) => String(data));
  socket.write(
    `POST /api/v1/user_uploads HTTP/1.1\r\nhost: chat.test\r\nauthorization: ${basic(person)}\r\n` +
      'content-type: multipart/form-data; boundary=x\r\ntransfer-encoding: chunked\r\n\r\n',
  );
  const send = (text: string) =>
    socket.write(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`);
  send('--x\r\ncontent-disposition: form-data; name="a"; filename="a"\r\n\r\n');
  if (size > 0) send('x'.repeat(size));
  return { answer, end: () => socket.destroy() };
}

test('the bytes of uploads that do not end count towards the quota, and no longer once they are given up', async () => {
  await using small = await startTestChat({ env: { BELLHOP_UPLOAD_QUOTA_USER_MIB: '4' } });
  const { hamlet, cordelia } = small.people;
  const uploads = await Promise.all(
    Array.from({ length: 12 }, () => beginUpload(small, hamlet, 2 * CHUNK)),
  );
  const refused = 'REALM_UPLOAD_QUOTA';
  const answers: string[] = [];
  for (const { answer } of uploads) void answer.then((text) => answers.push(text));
  // Four uploads of two chunks each fill the quota of eight chunks; some of them may have lost a chunk
  // to others that were refused later.
  await expect.poll(() => answers.length).toBeGreaterThanOrEqual(8);
  expect(answers.every((text) => text.includes(refused))).toBe(true);
  expect((await storedCounts(small)).chunks).toBeLessThanOrEqual(8);
  await upload(cordelia, bytes(CHUNK));
  expect((await cordelia.client.attachments.list()).upload_space_used).toBe(CHUNK);
  for (const { end } of uploads) end();
  await expect.poll(async () => (await storedCounts(small)).files).toBe(1);
  await upload(hamlet, bytes(2 * 1_048_576));
});

test('somebody with 20 uploads under way, their bots included, cannot begin another one', async () => {
  const { hamlet, cordelia } = chat.people;
  const uploads = await Promise.all(
    Array.from({ length: 21 }, () => beginUpload(chat, hamlet, 10)),
  );
  const answers: string[] = [];
  for (const { answer } of uploads) void answer.then((text) => answers.push(text));
  await expect.poll(() => answers, { timeout: 10_000 }).toHaveLength(1);
  expect(answers[0]).toContain('RATE_LIMIT_HIT');
  expect(answers[0]).toContain(
    'You are uploading 20 files already: wait until one of them has ended. Try again in a few seconds.',
  );
  await upload(cordelia);
  for (const { end } of uploads) end();
  await expect.poll(async () => await refusal(hamlet)).toBeUndefined();
});

const refusal = (person: Person): Promise<unknown> =>
  upload(person).then(
    () => undefined,
    (error: unknown) => error,
  );

test('an upload reports the form fields that it ignores', async () => {
  const { hamlet } = chat.people;
  const body = new FormData();
  body.append('topic', 'x');
  body.append('f', new File(['x'], 'x'));
  body.append('topic', 'y');
  body.append('no_such_parameter', '1');
  const answer = await post(chat, hamlet, { body });
  expect(await answer.json()).toMatchObject({
    result: 'success',
    ignored_parameters_unsupported: ['topic', 'no_such_parameter'],
  });
});

test.each([
  ['../../etc/passwd', 'passwd', 'passwd'],
  ['..', 'file', 'file'],
  ['', 'file', 'file'],
  ['C:\\Users\\me\\a b.txt', 'a b.txt', 'a-b.txt'],
  ['Füße & Hände 🎲.png', 'Füße & Hände 🎲.png', 'Füße--Hände-.png'],
  ['a"b\r\nx: y.txt', undefined, undefined],
  [`${'x'.repeat(300)}.tar`, `${'x'.repeat(96)}.tar`, `${'x'.repeat(96)}.tar`],
  ['.htaccess', '.htaccess', 'htaccess'],
])('the file name %j is made safe', async (given, shown, address) => {
  const { hamlet } = chat.people;
  const file = new File(['x'], given);
  const { url, filename } = await hamlet.client.uploads.create({}, { file });
  if (shown !== undefined) expect(filename).toBe(shown);
  if (address !== undefined) expect(url.split('/').at(-1)).toBe(address);
  expect(filename).not.toMatch(/[\r\n/\\]/);
  const got = await download(chat, hamlet, url);
  expect(await got.text()).toBe('x');
  expect(got.headers.get('x')).toBeNull();
});

test.each([
  ['page.html', 'text/html', 'application/octet-stream', 'attachment'],
  ['drawing.svg', 'image/svg+xml', 'application/octet-stream', 'attachment'],
  ['code.js', 'text/javascript', 'application/octet-stream', 'attachment'],
  ['paper.pdf', 'application/pdf', 'application/octet-stream', 'attachment'],
  ['odd', 'text/html; image/png', 'application/octet-stream', 'attachment'],
  ['odd', 'nonsense', 'application/octet-stream', 'attachment'],
  ['photo.png', 'image/png', 'image/png', 'inline'],
  ['photo.JPG', '', 'image/jpeg', 'inline'],
  ['film.mp4', 'application/octet-stream', 'video/mp4', 'inline'],
])('%s of type %j is served as %s, %s', async (name, type, served, disposition) => {
  const { hamlet } = chat.people;
  const file = new File(['<script>alert(1)</script>'], name, { type });
  const { url } = await hamlet.client.uploads.create({}, { file });
  const { headers } = await download(chat, hamlet, url);
  expect(headers.get('content-type')).toBe(served);
  expect(headers.get('content-disposition')).toMatch(new RegExp(`^${disposition};`));
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none'/);
  expect(headers.get('cache-control')).toBe('private, no-cache');
});

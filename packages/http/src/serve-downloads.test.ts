import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';

import { ApiError } from '@bellhop/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { listen, type Listening } from './listen.ts';
import { type Download, serveDownloads } from './serve-downloads.ts';

let served: Listening;
const failures: unknown[] = [];
const content = Buffer.from('0123456789');
const file: Download = {
  name: 'naïve "file".txt',
  type: 'text/plain',
  isShown: true,
  size: 10,
  tag: 'abc',
  read: async function* read(from, to) {
    for (let at = from; at < to; at += 4) yield content.subarray(at, Math.min(at + 4, to));
  },
};
const broken: Download = {
  ...file,
  read: async function* read() {
    yield content;
    throw new Error('the disk is gone');
  },
};

const unreadable: Download = {
  ...file,
  read: () => ({
    [Symbol.asyncIterator]: () => ({
      next: () => Promise.reject(new ApiError('SERVICE_UNAVAILABLE')),
    }),
  }),
};

beforeAll(async () => {
  served = await listen(
    serveDownloads({
      behindProxy: false,
      find: async ({ path }) => {
        if (path === '/file') return file;
        if (path === '/saved') return { ...file, isShown: false };
        if (path === '/broken') return { ...broken, size: 1_000_000 };
        if (path === '/unreadable') return unreadable;
        if (path === '/login') throw new ApiError('UNAUTHORIZED');
        if (path === '/bug') throw new TypeError('secret detail');
        throw new ApiError('NOT_FOUND');
      },
      onError: (error) => failures.push(error),
    }),
  );
});
afterAll(() => served.stop(0));

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(served.url + path, { method, headers });

/** The `WWW-Authenticate` of a 401; fetch() would not send this header. */
async function challengeFor(destination: string): Promise<string | undefined> {
  const sent = request(`${served.url}/login`, { headers: { 'sec-fetch-dest': destination } });
  sent.end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.resume();
  expect(answer.statusCode).toBe(401);
  return answer.headers['www-authenticate'];
}

test('a browser asks for a login where a person opens a file, not where a page shows it', async () => {
  expect(await challengeFor('document')).toBe('Basic realm="files"');
  expect(await challengeFor('image')).toBeUndefined();
  expect(await challengeFor('iframe')).toBeUndefined();
});

test('a file whose bytes cannot be read is an error with a status, and HEAD does not read them', async () => {
  const answer = await get('/unreadable');
  expect([answer.status, answer.headers.get('content-disposition')]).toEqual([503, null]);
  expect(await answer.json()).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect((await get('/unreadable', {}, 'HEAD')).status).toBe(200);
});

test('a file is sent whole, with headers that keep browsers from running it', async () => {
  const answer = await get('/file');
  expect(await answer.text()).toBe('0123456789');
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'text/plain',
    'content-length': '10',
    'content-disposition': `inline; filename="na_ve _file_.txt"; filename*=UTF-8''na%C3%AFve%20%22file%22.txt`,
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringMatching(/^sandbox; default-src 'none'/),
    'cache-control': 'private, no-cache',
    vary: 'authorization',
    etag: '"abc"',
    'accept-ranges': 'bytes',
  });
  expect((await get('/saved')).headers.get('content-disposition')).toMatch(/^attachment; /);
});

test.each([
  [{ range: 'bytes=2-5' }, 206, '2345', 'bytes 2-5/10'],
  [{ range: 'bytes=-1' }, 206, '9', 'bytes 9-9/10'],
  [{ range: 'bytes=10-' }, 416, '', 'bytes */10'],
  [{ range: 'bytes=0-1,3-4' }, 200, '0123456789', null],
  [{ range: 'bytes=2-5', 'if-range': '"abc"' }, 206, '2345', 'bytes 2-5/10'],
  [{ range: 'bytes=2-5', 'if-range': '"old"' }, 200, '0123456789', null],
])('%j is answered %i', async (headers, status, text, range) => {
  const answer = await get('/file', headers as Record<string, string>);
  expect([answer.status, await answer.text()]).toEqual([status, text]);
  expect(answer.headers.get('content-range')).toBe(range);
  if (status !== 416) expect(answer.headers.get('content-length')).toBe(String(text.length));
});

test('a matching If-None-Match is answered 304, and HEAD has no body', async () => {
  const same = await get('/file', { 'if-none-match': 'W/"x", "abc"' });
  expect([same.status, await same.text()]).toEqual([304, '']);
  expect((await get('/file', { 'if-none-match': '"other"' })).status).toBe(200);
  const head = await get('/file', {}, 'HEAD');
  expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([
    200,
    '10',
    '',
  ]);
});

test('errors have the envelope of the API', async () => {
  const missing = await get('/nothing');
  expect([missing.status, await missing.json()]).toMatchObject([404, { code: 'NOT_FOUND' }]);
  const posted = await get('/file', {}, 'POST');
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  failures.length = 0;
  const bug = await get('/bug');
  expect([bug.status, await bug.text()]).toEqual([
    500,
    '{"result":"error","msg":"Internal server error","code":"INTERNAL_ERROR"}',
  ]);
  expect(failures).toMatchObject([{ message: 'secret detail' }]);
});

test('the connection is closed if reading the file fails in the middle', async () => {
  failures.length = 0;
  await expect(get('/broken').then((answer) => answer.text())).rejects.toThrow();
  await expect.poll(() => failures).toMatchObject([{ message: 'the disk is gone' }]);
});

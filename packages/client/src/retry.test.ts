import type { IncomingMessage, ServerResponse } from 'node:http';

import { listen } from '@bellhop/http';
import { ApiError, endpoint } from '@bellhop/protocol';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';

import type { AskOptions } from './ask.ts';
import { ConnectionFailed } from './connection-failed.ts';
import { createClientFor } from './contract-client.ts';
import { retry, type RetryPolicy } from './retry.ts';
import { uploadFile } from './upload-file.ts';

const contract = {
  things: {
    get: endpoint('GET /thing', { summary: 'x', access: 'user', result: { n: z.int() } }),
    make: endpoint('POST /thing', {
      summary: 'x',
      access: 'user',
      params: { name: z.string(), file: z.instanceof(Blob).optional() },
      result: { n: z.int() },
    }),
  },
};

interface Scripted {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}
const fine: Scripted = { body: '{"result":"success","msg":"","n":1}' };
const limited: Scripted = {
  status: 429,
  body: '{"result":"error","msg":"Slow","code":"RATE_LIMIT_HIT","retry-after":1.5}',
};
const busy: Scripted = { status: 503, body: '<html>' };

let script: Scripted[];
let asked: { method: string | undefined; type: string | undefined; body: Buffer }[];
let server: Awaited<ReturnType<typeof listen>>;
beforeEach(async () => {
  script = [];
  asked = [];
  server = await listen((request, response) => void answer(request, response));
});
afterEach(() => server.stop(0));

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const {
    method,
    headers: { 'content-type': type },
  } = request;
  asked.push({ method, type, body: await read(request) });
  const { status = 200, headers = {}, body } = script.shift() ?? fine;
  if (body === undefined) response.destroy();
  else response.writeHead(status, headers).end(body);
}

async function read(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

let waits: number[];
beforeEach(() => (waits = []));
const clientOf = (retryPolicy: RetryPolicy = {}) =>
  createClientFor(contract, {
    url: server.url,
    retryPolicy: { sleep: async () => {}, onRetry: (_error, ms) => waits.push(ms), ...retryPolicy },
  }).things;

test('a call waits out a rate limit, in header or body, and repeats even a POST', async () => {
  const until = new Date(Date.now() + 20_000).toUTCString();
  script = [
    limited,
    { status: 429, headers: { 'retry-after': '7' }, body: '<html>a proxy</html>' },
    { status: 429, headers: { 'retry-after': until }, body: '{"result":"error","msg":"x"}' },
    { status: 429, body: 'nothing said' },
    fine,
  ];
  expect(await clientOf().make({ name: 'a' })).toEqual({ n: 1 });
  expect(asked).toHaveLength(5);
  expect(waits).toEqual([1500, 7000, expect.any(Number), 1000]);
  // A busy machine may read the third answer seconds later.
  expect(waits[2]).toBeGreaterThan(10_000);
  expect(waits[2]).toBeLessThanOrEqual(20_000);
});

test('only a GET is repeated after a lost connection or a failing server', async () => {
  script = [{}, busy, fine];
  expect(await clientOf().get()).toEqual({ n: 1 });
  expect(waits).toHaveLength(2);
  script = [busy];
  await expect(clientOf().make({ name: 'a' })).rejects.toBeInstanceOf(ConnectionFailed);
  script = [{}];
  await expect(clientOf().make({ name: 'a' })).rejects.toBeInstanceOf(ConnectionFailed);
  expect(asked.map(({ method }) => method)).toEqual(['GET', 'GET', 'GET', 'POST', 'POST']);
});

test('a call fails after its last retry, or if it would have to wait too long', async () => {
  script = [limited, limited, limited];
  await expect(clientOf({ retries: 2 }).get()).rejects.toMatchObject({ code: 'RATE_LIMIT_HIT' });
  expect(asked).toHaveLength(3);
  script = [limited];
  await expect(clientOf({ maxWaitMs: 1499 }).get()).rejects.toMatchObject({ status: 429 });
  expect(asked).toHaveLength(4);
});

test('the retry policy of a call replaces that of the client; false repeats nothing', async () => {
  script = [limited];
  await expect(clientOf().get({}, { retryPolicy: false })).rejects.toThrow(ApiError);
  const hurried = createClientFor(contract, { url: server.url }).things;
  script = [limited];
  await expect(hurried.get()).rejects.toThrow('Slow');
  script = [limited];
  const own: AskOptions = { retryPolicy: { sleep: async () => {} } };
  expect(await hurried.get({}, own)).toEqual({ n: 1 });
});

test('an aborted signal ends a wait and throws its reason', async () => {
  const leaving = new AbortController();
  const reason = new Error('enough');
  script = [{ status: 429, headers: { 'retry-after': '50' }, body: '{}' }];
  const client = createClientFor(contract, {
    url: server.url,
    retryPolicy: { onRetry: () => leaving.abort(reason) },
  });
  await expect(client.things.get({}, { signal: leaving.signal })).rejects.toBe(reason);
  expect(asked).toHaveLength(1);
  await expect(retry(async () => 1, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});

test('a file is sent as multipart, with the other parameters beside it', async () => {
  const file = new File(['\0bin'], 'ä "1".bin', { type: 'image/png' });
  await clientOf().make({ name: 'x', file });
  const { type = '', body = Buffer.alloc(0) } = asked[0] ?? {};
  const form = await new Response(new Uint8Array(body), {
    headers: { 'content-type': type },
  }).formData();
  expect(form.get('name')).toBe('x');
  const arrived = form.get('file');
  if (!(arrived instanceof File)) throw new Error('no file');
  expect([arrived.name, arrived.type, await arrived.text()]).toEqual([
    file.name,
    'image/png',
    '\0bin',
  ]);
});

test('uploadFile returns the address of the file, which older servers call uri', async () => {
  const file = new File(['x'], 'a.txt');
  script = [
    { body: '{"result":"success","msg":"","url":"/user_uploads/1/b.txt","filename":"b.txt"}' },
  ];
  expect(await uploadFile({ url: server.url }, file)).toEqual({
    url: '/user_uploads/1/b.txt',
    filename: 'b.txt',
  });
  script = [{ body: '{"result":"success","msg":"","uri":"/user_uploads/1/a.txt"}' }];
  expect(await uploadFile({ url: server.url }, file)).toEqual({
    url: '/user_uploads/1/a.txt',
    filename: 'a.txt',
  });
});

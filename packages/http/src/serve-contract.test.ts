import { once } from 'node:events';
import { connect } from 'node:net';

import { ApiError } from '@bellhop/protocol';
import express from 'express';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { listen } from './listen.ts';
import { rateLimit } from './rate-limit.ts';
import { startTestService } from './test-service.fixture.ts';

let server: Awaited<ReturnType<typeof startTestService>>;
beforeAll(async () => {
  server = await startTestService();
});
afterAll(() => server.stop(0));

const post = (fields: Record<string, string>) => ({
  method: 'POST',
  body: new URLSearchParams(fields),
});

/** Sends bytes on a new connection and returns everything until the server closes it. */
async function raw(port: number, ...texts: string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let all = '';
  socket.on('data', (chunk) => (all += chunk.toString()));
  for (const text of texts) socket.write(text);
  await once(socket, 'close');
  return all;
}

test('a success has the envelope, the fields of the operation and Cache-Control: no-store', async () => {
  const { status, headers, body } = await server.ask('/things/a%2Fb');
  expect(status).toBe(200);
  expect(body).toEqual({ result: 'success', msg: '', params: { thing: 'a/b' }, caller: 'anyone' });
  expect(headers.get('content-type')).toBe('application/json');
  expect(headers.get('cache-control')).toBe('no-store');
});

test('a long success arrives whole, and its length counts bytes', async () => {
  const text = 'five \u20ac '.repeat(30_000);
  const { headers, body } = await server.ask('/things/7', {
    method: 'PATCH',
    body: new URLSearchParams({ text }),
  });
  expect(body).toMatchObject({ result: 'success', params: { thing: '7', text } });
  expect(headers.get('content-length')).toBe(String(Buffer.byteLength(JSON.stringify(body))));
});

test('missing, mistyped, non-JSON and doubly named parameters are rejected', async () => {
  expect(await server.ask('/things', post({ text: 'x' }))).toMatchObject({
    status: 400,
    body: { result: 'error', code: 'REQUEST_VARIABLE_MISSING', var_name: 'needed' },
  });
  expect((await server.ask('/things?number=%22x%22')).body).toMatchObject({
    code: 'BAD_REQUEST',
    var_name: 'number',
  });
  expect((await server.ask('/things?number=x')).body).toMatchObject({
    code: 'BAD_REQUEST',
    msg: 'number is not valid JSON',
    var_name: 'number',
  });
  expect((await server.ask('/things?subject=a&topic=b')).body).toMatchObject({
    code: 'REQUEST_CONFUSING_VAR',
    var_name1: 'subject',
    var_name2: 'topic',
  });
  expect((await server.ask('/things?subject=a')).body['params']).toEqual({ topic: 'a' });
});

test('unknown parameters and repeated path variables are ignored and reported', async () => {
  const { body } = await server.ask('/things/7', {
    method: 'PATCH',
    body: new URLSearchParams({ thing: '8', dont_block: 'true', text: 'x' }),
  });
  expect(body).toMatchObject({
    params: { thing: '7', text: 'x' },
    ignored_parameters_unsupported: ['thing', 'dont_block'],
  });
});

test('a POST with the field `method` runs the operation of that method', async () => {
  const { body } = await server.ask('/things/7', post({ method: 'patch', text: 'x' }));
  expect(body).toMatchObject({ result: 'success', params: { thing: '7', text: 'x' } });
  expect(body['ignored_parameters_unsupported']).toBeUndefined();
  expect((await server.ask('/things/7', post({ method: 'PUT' }))).status).toBe(405);
  expect((await server.ask('/things', post({ method: 'GET', text: 'x' }))).body['params']).toEqual({
    text: 'x',
  });
});

test('an unknown method is answered 405 with the allowed methods', async () => {
  const { status, headers, body } = await server.ask('/things/7', { method: 'PUT' });
  expect(status).toBe(405);
  expect(headers.get('allow')).toBe('GET, PATCH, DELETE, HEAD, OPTIONS');
  expect(body).toEqual({
    result: 'error',
    msg: expect.any(String),
    code: 'METHOD_NOT_ALLOWED',
    allowed_methods: ['GET', 'PATCH', 'DELETE'],
  });
});

test('OPTIONS is answered 204 with Allow, HEAD as GET without the body', async () => {
  const options = await server.ask('/things', { method: 'OPTIONS' });
  expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, POST, HEAD, OPTIONS']);
  const [get, head] = [
    await server.ask('/things'),
    await server.ask('/things', { method: 'HEAD' }),
  ];
  expect([head.status, head.body]).toEqual([200, undefined]);
  expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'));
  expect((await server.ask('/bulk', { method: 'HEAD' })).status).toBe(405);
});

test('double and trailing slashes are tolerated, and fixed segments win over variables', async () => {
  expect((await server.ask('//things///7/')).body['params']).toEqual({ thing: '7' });
  expect((await fetch(`${server.url}//api/v1/things`)).status).toBe(200);
  expect((await server.ask('/things/mine/parts')).body['params']).toEqual({ part: 'parts' });
  expect((await server.ask('/things/7/parts')).body['params']).toEqual({ thing: '7' });
});

test('a last variable that may contain slashes takes the rest of the path', async () => {
  for (const path of ['/views/narrow/is/dm', '/views/narrow%2Fis%2Fdm'])
    expect((await server.ask(path)).body['params']).toEqual({ view: 'narrow/is/dm' });
  for (const path of ['/views', '/views/', '/views//'])
    expect((await server.ask(path)).status).toBe(404);
});

test('double and trailing slashes of a last variable with slashes are part of its value', async () => {
  const view = async (path: string) => (await server.ask(path)).body['params'];
  expect(await view('/views/a//b?x=//')).toEqual({ view: 'a//b' });
  expect(await view('/views/a%2F%2Fb')).toEqual({ view: 'a//b' });
  for (const path of ['/views/a/b/', '/views/a/b/?x=1', '//views//a/b/', '/views/a%2Fb%2F'])
    expect(await view(path)).toEqual({ view: 'a/b/' });
  expect(await view('/views/a/')).toEqual({ view: 'a/' });
  expect(await view('//views//a//b//')).toEqual({ view: 'a//b//' });
});

test.each(['/nothing', '/', '', '/things/%zz', '/things/{thing}/x', '/things/7/parts/8'])(
  'the unknown path %s is answered 404 with JSON',
  async (path) => {
    expect(await server.ask(path)).toMatchObject({
      status: 404,
      body: { result: 'error', code: 'NOT_FOUND' },
    });
  },
);

test('paths outside the prefix go to `next` if it is given', async () => {
  const app = express();
  app.use(server.handler);
  app.use((_request, response) => void response.status(418).send('mine'));
  await using listening = await listen(app);
  const status = async (path: string) => (await fetch(listening.url + path)).status;
  expect(await status('/api/v1/things')).toBe(200);
  expect(await status('/api/v1/nothing')).toBe(404);
  expect(await status('/api/v1x')).toBe(418);
  expect((await fetch(`${server.url}/elsewhere`)).status).toBe(404);
});

test('pipelined requests are answered in order', async () => {
  const get = (n: number, more = '') =>
    `GET /api/v1/things?number=${n} HTTP/1.1\r\nhost: x\r\n${more}\r\n`;
  const text = await raw(server.port, get(1) + get(2), get(3, 'connection: close\r\n'));
  expect([...text.matchAll(/"number":(\d)/g)].map(([, n]) => n)).toEqual(['1', '2', '3']);
});

test('a client that sends no body is disconnected, and onError is not called', async () => {
  await using slow = await startTestService({ requestTimeout: 300 });
  const text = await raw(
    slow.port,
    'POST /api/v1/things HTTP/1.1\r\nhost: x\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: 100\r\n\r\nneeded=',
  );
  expect(text).toMatch(/^HTTP\/1.1 408 /);
  expect(slow.failures).toEqual([]);
});

test('a response may take longer than requestTimeout', async () => {
  await using slow = await startTestService({
    requestTimeout: 120,
    perform: () => new Promise((resolve) => setTimeout(() => resolve({ waited: true }), 400)),
  });
  // A request whose headers a busy machine reads too late is refused: then it is sent again.
  await expect.poll(async () => (await slow.ask('/things')).body).toMatchObject({ waited: true });
});

test('an error that is no ApiError is answered 500 without detail and passed to onError', async () => {
  const bug = new TypeError('secret detail');
  await using broken = await startTestService({ perform: () => Promise.reject(bug) });
  expect(await broken.ask('/things')).toMatchObject({ status: 500 });
  expect((await broken.ask('/things')).body).toEqual({
    result: 'error',
    msg: 'Internal server error',
    code: 'INTERNAL_ERROR',
  });
  expect(broken.failures).toEqual([bug, bug]);
  expect(broken.statuses).toEqual([500, 500]);
});

test('a result that JSON cannot represent is answered 500, and bigints keep all digits', async () => {
  const circle: Record<string, unknown> = {};
  circle['circle'] = circle;
  await using odd = await startTestService({
    perform: async ({ params }) => (params['text'] ? circle : { wide: 2n ** 62n }),
  });
  expect((await odd.ask('/things?text=x')).status).toBe(500);
  expect(odd.failures).toHaveLength(1);
  expect(await (await fetch(`${odd.url}/api/v1/things`)).text()).toContain(
    '"wide":4611686018427387904',
  );
});

test('the server keeps running if onAnswer or onError throws', async () => {
  await using odd = await startTestService({
    onAnswer: () => {
      throw new Error('hook');
    },
  });
  expect((await odd.ask('/things')).status).toBe(200);
  expect(odd.failures).toMatchObject([{ message: 'hook' }]);
});

test('the signal is aborted when the client disconnects before the response, not after it', async () => {
  let waiting: (signal: AbortSignal) => void = () => undefined;
  const signals: AbortSignal[] = [];
  const answered = Promise.withResolvers<number>();
  await using slow = await startTestService({
    perform: async ({ params, exchange }) => {
      const signal = exchange.signal();
      signals.push(signal);
      if (!params['text']) return {};
      waiting(signal);
      await once(signal, 'abort');
      throw signal.reason;
    },
    onAnswer: (_endpoint, _exchange, status) => {
      if (status !== 200) answered.resolve(status);
    },
  });
  await slow.ask('/things');
  const leaving = new AbortController();
  const reached = new Promise<AbortSignal>((resolve) => (waiting = resolve));
  const left = slow.ask('/things?text=wait', { signal: leaving.signal });
  expect((await reached).aborted).toBe(false);
  leaving.abort();
  await expect(left).rejects.toThrow('aborted');
  expect(await answered.promise).toBe(499);
  expect(signals.map(({ aborted }) => aborted)).toEqual([false, true]);
  expect(slow.failures).toEqual([]);
});

test('successes and errors have rate-limit headers, and calls over the limit get 429', async () => {
  const limit = rateLimit([
    { count: 3, seconds: 60 },
    { count: 100, seconds: 3600 },
  ]);
  await using limited = await startTestService({
    admit: async (_endpoint, exchange) => {
      await limit('someone', exchange);
      return 'someone';
    },
    perform: async ({ params }) => {
      if (params['text']) throw new ApiError('STREAM_DOES_NOT_EXIST', { data: { stream: 'x' } });
      return {};
    },
  });
  const answers = [
    await limited.ask('/things'),
    await limited.ask('/things?text=x'),
    await limited.ask('/things?number=bad'),
    await limited.ask('/things'),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 400, 400, 429]);
  const now = Date.now() / 1000;
  for (const [at, { headers }] of answers.entries()) {
    expect(headers.get('x-ratelimit-limit')).toBe('100');
    expect(headers.get('x-ratelimit-remaining')).toBe(String(Math.max(0, 2 - at)));
    expect(Number(headers.get('x-ratelimit-reset'))).toBeGreaterThan(now);
  }
  const { headers, body } = answers[3] ?? {};
  expect(body).toMatchObject({ result: 'error', code: 'RATE_LIMIT_HIT' });
  expect(body?.['retry-after']).toBeGreaterThan(50);
  expect(headers?.get('retry-after')).toBe(String(body?.['retry-after']));
});

test('behind a proxy only the last X-Forwarded entry is trusted', async () => {
  const perform = async ({
    exchange,
  }: {
    exchange: { ip: string; host: string; protocol: string };
  }) => ({
    seen: [exchange.ip, exchange.host, exchange.protocol],
  });
  await using direct = await startTestService({ perform });
  await using behind = await startTestService({ perform, behindProxy: true });
  const headers = {
    'x-forwarded-for': '6.6.6.6, 10.1.1.1',
    'x-forwarded-host': 'Chat.Example.com',
    'x-forwarded-proto': 'https',
  };
  const seen = async ({ ask }: typeof direct) => (await ask('/things', { headers })).body['seen'];
  expect(await seen(behind)).toEqual(['10.1.1.1', 'chat.example.com', 'https']);
  expect(await seen(direct)).toEqual(['127.0.0.1', `127.0.0.1:${direct.port}`, 'http']);
});

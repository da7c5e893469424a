import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';

import { basicCredentials, listen, serveContract } from '@bellhop/http';
import { ApiError, endpoint } from '@bellhop/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';

import type { ClientOptions } from './ask.ts';
import { ConnectionFailed } from './connection-failed.ts';
import { createClientFor } from './contract-client.ts';

const contract = {
  things: {
    get: endpoint('GET /things/{thing}', {
      summary: 'x',
      access: 'user',
      params: { thing: z.string(), list: z.array(z.int()).default([]) },
      result: { thing: z.string(), list: z.array(z.int()), caller: z.string() },
    }),
    make: endpoint('POST /things', {
      summary: 'x',
      access: 'user',
      params: { name: z.string(), wide: z.bigint().optional() },
      result: { thing: z.string(), wide: z.string() },
    }),
    bulk: endpoint('POST /bulk', {
      summary: 'x',
      access: 'user',
      body: 'json',
      params: { rows: z.array(z.union([z.int(), z.bigint()])) },
      result: { sum: z.string() },
    }),
    remove: endpoint('DELETE /things/{thing}', {
      summary: 'x',
      access: 'user',
      params: { thing: z.string(), why: z.string() },
      errors: ['STREAM_DOES_NOT_EXIST'],
    }),
  },
};

const handler = serveContract<string>(contract, {
  prefix: '/api/v1',
  admit: async (_endpoint, exchange) => {
    const { name, secret } = basicCredentials(exchange) ?? { name: 'nobody', secret: '' };
    if (secret === 'wrong') throw new ApiError('INVALID_API_KEY');
    return name;
  },
  perform: async ({ endpoint: { route }, params, caller }) => {
    if (route === contract.things.get.route) return { ...params, caller };
    if (route === contract.things.make.route)
      return { thing: params['name'], wide: String(params['wide']) };
    if (route === contract.things.bulk.route)
      return { sum: String((params['rows'] as bigint[]).reduce((a, b) => a + BigInt(b), 0n)) };
    throw new ApiError('STREAM_DOES_NOT_EXIST', { message: 'No', data: { stream: params['why'] } });
  },
  onError: (error) => {
    throw error;
  },
});

let url: string;
let stop: () => Promise<void>;
beforeAll(async () => ({ url, stop } = await listen(handler)));
afterAll(() => stop());

const client = (options: Partial<ClientOptions> = {}) =>
  createClientFor(contract, { url: `${url}/`, email: 'ü@x.com', apiKey: 'key', ...options });

/** The error that a client throws for the response of this listener. */
async function thrownBy(listener: RequestListener, options: Partial<ClientOptions> = {}) {
  await using odd = await listen(listener);
  return await client({ url: odd.url, ...options })
    .things.get({ thing: 'x' })
    .then(
      () => new Error('it succeeded'),
      (error: unknown) => error,
    );
}
const answering =
  (status: number, body: string): RequestListener =>
  (_request, response) =>
    response.writeHead(status).end(body);

test('parameters are sent in path, query, form or JSON, and credentials as UTF-8', async () => {
  const { things } = client();
  expect(await things.get({ thing: 'a/b ?', list: [1, 2] })).toEqual({
    thing: 'a/b ?',
    list: [1, 2],
    caller: 'ü@x.com',
  });
  const wide = 2n ** 62n + 1n;
  expect(await things.make({ name: '[1] & ü', wide })).toEqual({
    thing: '[1] & ü',
    wide: wide.toString(),
  });
  expect(await things.bulk({ rows: [1, wide] })).toEqual({ sum: (wide + 1n).toString() });
  const anonymous = createClientFor(contract, { url });
  expect(await anonymous.things.get({ thing: 'x' })).toMatchObject({ caller: 'nobody' });
});

test('a documented error is thrown as ApiError with its code, status, message and keys', async () => {
  const refused = client().things.remove({ thing: 'x', why: 'because' });
  await expect(refused).rejects.toThrow(ApiError);
  await expect(refused).rejects.toMatchObject({
    code: 'STREAM_DOES_NOT_EXIST',
    status: 400,
    message: 'No',
    data: { stream: 'because' },
  });
  await expect(client({ apiKey: 'wrong' }).things.get({ thing: 'x' })).rejects.toMatchObject({
    code: 'INVALID_API_KEY',
    status: 401,
    data: {},
  });
});

test('an error without a known code is thrown as ApiError with its status', async () => {
  const error = (more: object) => JSON.stringify({ result: 'error', msg: 'm', ...more });
  expect(await thrownBy(answering(418, error({ code: 'TEAPOT', size: 3 })))).toMatchObject({
    name: 'ApiError',
    code: 'BAD_REQUEST',
    status: 418,
    data: { code: 'TEAPOT', size: 3 },
  });
  expect(await thrownBy(answering(405, error({ allowed_methods: ['PUT'] })))).toMatchObject({
    code: 'METHOD_NOT_ALLOWED',
    data: { allowed_methods: ['PUT'] },
  });
  expect(await thrownBy(answering(500, error({})))).toMatchObject({ code: 'INTERNAL_ERROR' });
  expect(await thrownBy(answering(400, error({ code: 'toString' })))).toMatchObject({
    code: 'BAD_REQUEST',
  });
});

test.each([
  [502, '<html>proxy</html>', true],
  [200, '', true],
  [200, 'null', true],
  [200, '{}', false],
  [200, '{"result":"success","msg":"","thing":5}', false],
])(
  'an answer outside the protocol is a failed connection: %d %s',
  async (status, body, passing) => {
    const error = await thrownBy(answering(status, body));
    expect(error).toBeInstanceOf(ConnectionFailed);
    expect(error).toMatchObject({ status, passing });
  },
);

test('a connection that is refused or cut off throws ConnectionFailed', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  await once(server.close(), 'close');
  const nowhere = client({ url: `http://127.0.0.1:${port}` }).things.get({ thing: 'x' });
  await expect(nowhere).rejects.toMatchObject({ name: 'ConnectionFailed', status: undefined });
  const cut = await thrownBy((_request, response) => {
    response.writeHead(200, { 'content-length': 100 }).write('{"result"');
    setImmediate(() => response.destroy());
  });
  expect(cut).toMatchObject({ name: 'ConnectionFailed', passing: true });
});

test('a response that takes too long to begin or to end throws ConnectionFailed', async () => {
  const options = { timeoutMs: 100 };
  expect(await thrownBy(() => undefined, options)).toBeInstanceOf(ConnectionFailed);
  const endless: RequestListener = (_request, response) => void response.writeHead(200).write('{');
  expect(await thrownBy(endless, options)).toBeInstanceOf(ConnectionFailed);
});

test('aborting throws the reason it was given', async () => {
  const arrived = Promise.withResolvers<void>();
  await using silent = await listen(() => arrived.resolve());
  const leaving = new AbortController();
  const asked = client({ url: silent.url }).things.get({ thing: 'x' }, { signal: leaving.signal });
  const reason = new Error('enough');
  const rejected = expect(asked).rejects.toBe(reason);
  await arrived.promise;
  leaving.abort(reason);
  await rejected;
});

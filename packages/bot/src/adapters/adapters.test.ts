import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';

import { serve as serveHono } from '@hono/node-server';
import express, { type RequestHandler } from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createBot } from '../create-bot.ts';
import { directMessage, mention } from '../example-payload.fixture.ts';
import { webhook } from './express.ts';
import { webhook as fastifyWebhook } from './fastify.ts';
import { fetchHandler } from './fetch-handler.ts';
import { webhook as honoWebhook } from './hono.ts';
import { lambda } from './lambda.ts';
import { listener } from './listener.ts';
import { worker } from './worker.ts';

const maxBodyBytes = 4096;
const echo = createBot({ email: 'echo-bot@chat.test', token: 'genuine' }).fallback(
  (ctx) => ctx.text,
);
const silent = createBot({ email: 'silent-bot@chat.test', token: 'quiet' });
const bots = [echo, silent];

type Send = (init: RequestInit) => Promise<Response>;

/** Runs Fastify and Hono on a port, as applications do. */
const others: Record<string, () => Promise<{ url: string; close: () => Promise<unknown> }>> = {
  async Fastify() {
    const app = fastify();
    await app.register(fastifyWebhook(bots, { maxBodyBytes }), { prefix: '/bots' });
    return { url: await app.listen({ port: 0, host: '127.0.0.1' }), close: () => app.close() };
  },
  Hono() {
    const app = new Hono().all('/bots', honoWebhook(bots, { maxBodyBytes }));
    return new Promise((resolve) => {
      const server = serveHono({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => {
        const close = () => new Promise((closed) => server.close(closed));
        resolve({ url: `http://127.0.0.1:${port}`, close });
      });
    });
  },
};

/** A request in the form of a Lambda event. */
async function throughLambda(handler: ReturnType<typeof lambda>, init: RequestInit) {
  const request = new Request('http://bots.test/bots', init);
  const body = Buffer.from(await request.arrayBuffer()).toString('base64');
  const { method, headers } = request;
  const answer = await handler({
    headers: Object.fromEntries(headers),
    body,
    isBase64Encoded: true,
    requestContext: { http: { method } },
  });
  return new Response(answer.body, { status: answer.statusCode, headers: answer.headers });
}

function inExpress(...parsers: RequestHandler[]): RequestListener {
  return express().use('/bots', ...parsers, webhook(bots, { maxBodyBytes }));
}

const everything = { type: () => true };

const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';
const hello = JSON.stringify(mention('caf\u00e9'));
const form =
  'token=genuine&team_id=T1&team_domain=chat.test&channel_id=C2&channel_name=ops&thread_ts=1790000000' +
  '&timestamp=1790000000&user_id=U3&user_name=Ada&trigger_word=mention&service_id=4&text=';
const latin1 = (text: string) => Buffer.from(text, 'latin1');

describe.each([
  ['fetchHandler', undefined],
  ['worker', undefined],
  ['lambda', undefined],
  ['Fastify', undefined],
  ['Hono', undefined],
  ['listener', listener(bots, { maxBodyBytes })],
  ['Express', inExpress()],
  ['Express, parsed before as JSON', inExpress(express.json(everything))],
  ['Express, parsed before as text', inExpress(express.text(everything))],
  ['Express, parsed before as bytes', inExpress(express.raw(everything))],
])('%s', (name, app) => {
  const server = createServer(app);
  let send: Send;

  let close: (() => Promise<unknown>) | undefined;

  beforeAll(async () => {
    const start = others[name];
    if (start !== undefined) {
      const started = await start();
      ({ close } = started);
      send = (init) => fetch(`${started.url}/bots`, init);
      return;
    }
    if (app === undefined) {
      const handler = fetchHandler(bots, { maxBodyBytes });
      const edge = worker(bots, { maxBodyBytes });
      const cloud = lambda(bots, { maxBodyBytes });
      send = (init) => {
        if (name === 'lambda') return throughLambda(cloud, init);
        const request = new Request('http://bots.test/bots', init);
        return name === 'worker' ? edge.fetch(request) : handler(request);
      };
      return;
    }
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    send = (init) => fetch(`http://127.0.0.1:${port}/bots`, init);
  });
  afterAll(async () => {
    await close?.();
    server.close();
    server.closeAllConnections();
  });

  const post = (body: unknown, type = 'application/json') =>
    send({
      method: 'POST',
      headers: { 'content-type': type },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });

  test('a delivery is answered with its reply as JSON', async () => {
    const response = await post(mention('@**Echo Bot** héllo 🛎️'));
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(await response.json()).toEqual({ content: 'héllo 🛎️' });
  });

  test('a JSON body is read with any content type', async () => {
    const response = await post(directMessage('hi'), 'text/plain');
    expect(await response.json()).toEqual({ content: 'hi' });
  });

  test('a delivery reaches the bot with its address', async () => {
    const toSilent = { ...mention('hi'), bot_email: 'silent-bot@chat.test', token: 'quiet' };
    const response = await post(toSilent);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ response_not_required: true });
  });

  test('a wrong token and an unknown bot get the same 401', async () => {
    const strangers = [
      { token: 'wrong' },
      { token: '' },
      { token: 'quiet' },
      { bot_email: 'nobody@chat.test' },
      { bot_email: '__proto__' },
    ];
    const answers = new Set<string>();
    for (const stranger of strangers) {
      const response = await post({ ...mention('hi'), ...stranger });
      expect(response.status).toBe(401);
      answers.add(await response.text());
    }
    expect([...answers]).toEqual(['{"error":"Unauthorized"}']);
  });

  test('a body that is not a delivery is answered with 400 and no details', async () => {
    const { message, ...noMessage } = mention('hi');
    const bodies = [[], {}, noMessage, { ...noMessage, message: { ...message, id: 'x' } }];
    for (const body of bodies) {
      const response = await post(body);
      expect(response.status).toBe(400);
      expect(await response.text()).toBe('{"error":"Bad Request"}');
    }
  });

  test('deeply nested JSON and a __proto__ key in a delivery have no effect', async () => {
    const deep = `${'['.repeat(900)}${']'.repeat(900)}`;
    const hostile = JSON.stringify(mention('hi')).replace(
      '{',
      `{"deep":${deep},"__proto__":{"token":"x","polluted":true},`,
    );
    const response = await post(hostile);
    expect(await response.json()).toEqual({ content: 'hi' });
    expect({}).not.toHaveProperty('polluted');
    const instead = await post(`{"__proto__":${JSON.stringify(mention('hi'))}}`);
    expect(instead.status).toBe(400);
  });

  test('any method but POST is answered with 405', async () => {
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE']) {
      const response = await send({ method });
      expect(response.status).toBe(405);
      expect(response.headers.get('allow')).toBe('POST');
      if (method !== 'HEAD') expect(await response.text()).toBe('{"error":"Method Not Allowed"}');
    }
  });

  if (!name.includes('as JSON'))
    test('malformed JSON and an empty body are answered with 400', async () => {
      for (const body of [
        '',
        'hi',
        '{"bot_email":',
        '\u0000',
        JSON.stringify(mention('x')).slice(1),
      ]) {
        const response = await post(body);
        expect(response.status).toBe(400);
        expect(await response.text()).toBe('{"error":"Bad Request"}');
      }
      expect((await send({ method: 'POST' })).status).toBe(400);
    });

  const postBytes = async (bytes: Buffer | string, headers: Record<string, string>) => {
    const body = new Blob([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)]);
    const response = await send({ method: 'POST', headers, body });
    const answer = (await response.json()) as { error?: string };
    return { status: response.status, answer, accepts: response.headers.get('accept-encoding') };
  };

  test.each(['utf-8', 'UTF8', '"utf-8"', '"US-ASCII"', '', 'utf-8; x=y'])(
    'a body that declares the charset %j is read',
    async (charset) => {
      // body-parser of Express refuses by itself what it does not know.
      if (name.includes('parsed before') && !charset.startsWith('utf-8')) return;
      const headers = { 'content-type': `${JSON_TYPE}; charset=${charset}` };
      const { status, answer } = await postBytes(hello, headers);
      expect([status, answer]).toEqual([200, { content: 'caf\u00e9' }]);
    },
  );

  if (!name.includes('parsed before')) {
    test.each([
      ['gzip', gzipSync(hello), JSON_TYPE],
      ['GZIP', gzipSync(hello), JSON_TYPE],
      ['br', brotliCompressSync(hello), JSON_TYPE],
      ['identity, gzip', gzipSync(hello), JSON_TYPE],
      ['rot13', hello, JSON_TYPE],
      ['gzip', gzipSync(`${form}hi`), FORM],
    ])('a body with the content-encoding %s is answered with 415', async (coding, body, type) => {
      const headers = { 'content-type': type, 'content-encoding': coding };
      const { status, answer, accepts } = await postBytes(body, headers);
      expect([status, accepts]).toEqual([415, 'identity']);
      expect(answer.error).toMatch(
        /^The body was not read: it is compressed .*Send it as it is\.$/,
      );
      expect(answer.error).toContain(coding);
    });

    test('a body with the content-encoding identity is read', async () => {
      const headers = { 'content-type': JSON_TYPE, 'content-encoding': 'Identity' };
      expect((await postBytes(hello, headers)).answer).toEqual({ content: 'caf\u00e9' });
    });

    test.each([
      ['iso-8859-1', latin1(hello), JSON_TYPE],
      ['"Windows-1252"', '{}', JSON_TYPE],
      ['utf-16le', Buffer.from(hello, 'utf16le'), JSON_TYPE],
      ['utf-7', hello, 'text/plain'],
      ['iso-8859-1', latin1(`${form}caf\xe9`), FORM],
      ['iso-8859-1', `${form}caf%E9`, 'Application/X-WWW-Form-Urlencoded'],
    ])('a body in the charset %s is answered with 415', async (charset, body, type) => {
      const headers = { 'content-type': `${type}; Charset=${charset}` };
      const { status, answer } = await postBytes(body, headers);
      expect(status).toBe(415);
      expect(answer.error).toMatch(/^The body was not read: its charset is .*Send it as UTF-8\.$/);
      expect(answer.error).toContain(charset.replaceAll('"', ''));
    });

    test.each([
      ['JSON', latin1(hello), JSON_TYPE],
      ['half a character', Buffer.from(hello).subarray(0, Buffer.from(hello).indexOf(0xa9)), ''],
      ['gzip that does not say so', gzipSync(hello), JSON_TYPE],
      ['a form', latin1(`${form}caf\xe9`), FORM],
      ['a percent-encoding', `${form}100%25+caf%E9`, FORM],
      ['half a percent-encoded character', `${form}%F0%9F%98&x=%E2`, FORM],
    ])('bytes that are not UTF-8 are answered with 400: %s', async (_what, body, type) => {
      const { status, answer } = await postBytes(body, type === '' ? {} : { 'content-type': type });
      expect(status).toBe(400);
      expect(answer.error).toBe('The body was not read: it is not valid UTF-8. Send it as UTF-8.');
    });

    test.each([
      ['UTF-8 with a stray %', 'caf%C3%A9+100%', 'caf\u00e9 100%'],
      ['U+FFFD itself', '%EF%BF%BD', '\ufffd'],
    ])('a form is read: %s', async (_what, text, read) => {
      for (const type of [FORM, 'Application/X-WWW-Form-Urlencoded;charset=UTF-8']) {
        const { answer } = await postBytes(form + text, { 'content-type': type });
        expect(answer).toEqual({ text: read });
      }
    });

    test('a byte order mark before JSON is skipped', async () => {
      const { answer } = await postBytes(`\ufeff${hello}`, { 'content-type': JSON_TYPE });
      expect(answer).toEqual({ content: 'caf\u00e9' });
    });
  }

  if (!name.includes('parsed before'))
    test('a body over the limit is answered with 413, with and without a content-length', async () => {
      const fits = mention('x'.repeat(1000));
      expect((await post(fits)).status).toBe(200);
      const huge = JSON.stringify(mention('x'.repeat(maxBodyBytes)));
      const announced = await post(huge);
      expect(announced.status).toBe(413);
      expect(await announced.text()).toBe('{"error":"Payload Too Large"}');
      const streamed = await send({
        method: 'POST',
        body: new Blob([huge]).stream(),
        duplex: 'half',
      } as RequestInit);
      expect(streamed.status).toBe(413);
    });
});

test('the adapter writes no second response to an answered request', async () => {
  const ended = Promise.withResolvers<void>();
  const slow = createBot({ email: 'slow-bot@chat.test', token: 'x' }).fallback(async () => {
    await ended.promise;
    return 'too late';
  });
  const app = express()
    .use((_request, response, next) => {
      setTimeout(() => response.status(503).send('busy'), 10);
      next();
    })
    .post('/bots', webhook([slow]));
  const server = createServer(app);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const body = JSON.stringify({
    ...directMessage('hi'),
    bot_email: 'slow-bot@chat.test',
    token: 'x',
  });
  const response = await fetch(`http://127.0.0.1:${port}/bots`, { method: 'POST', body });
  expect([response.status, await response.text()]).toEqual([503, 'busy']);
  ended.resolve();
  await new Promise((closed) => server.close(closed));
});

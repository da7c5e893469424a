import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

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
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const response = await send({ method });
      expect(response.status).toBe(405);
      expect(response.headers.get('allow')).toBe('POST');
      expect(await response.text()).toBe('{"error":"Method Not Allowed"}');
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

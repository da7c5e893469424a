import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { createGunzip, gzipSync } from 'node:zlib';

import express, { type RequestHandler } from 'express';
import fastify, { type FastifyInstance } from 'fastify';
import { Hono, type MiddlewareHandler } from 'hono';
import { describe, expect, onTestFinished, test } from 'vitest';

import { createBot } from '../create-bot.ts';
import { mention } from '../example-payload.fixture.ts';
import { webhook } from './express.ts';
import { webhook as fastifyWebhook } from './fastify.ts';
import { fetchHandler } from './fetch-handler.ts';
import { webhook as honoWebhook } from './hono.ts';

const require = createRequire(import.meta.url);
/** It has no types of its own. */
const express4 = require('express-4') as typeof express;

const bots = [
  createBot({ email: 'echo-bot@chat.test', token: 'genuine' }).fallback((ctx) => ctx.text),
];
const json = JSON.stringify(mention('héllo 🛎️'));
const form = new URLSearchParams({
  token: 'genuine',
  team_id: 'T1',
  team_domain: 'chat.test',
  channel_id: 'C2',
  channel_name: 'ops',
  thread_ts: '1700000000',
  timestamp: '1700000000',
  user_id: 'U3',
  user_name: 'Ada',
  text: 'hello',
  trigger_word: 'mention',
  service_id: '4',
}).toString();

async function listening(app: RequestListener): Promise<string> {
  const server = createServer(app);
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/bots`;
}

const post = (url: string, body: string, type = 'application/json') =>
  fetch(url, { method: 'POST', headers: { 'content-type': type }, body });

/** Reads the body and forgets it, as a log of requests may do. */
const forgets = async (request: IncomingMessage): Promise<void> => {
  for await (const chunk of request) void chunk;
};
const forget: RequestHandler = (request, _response, next) => {
  request.on('end', () => next()).resume();
};
const lost = {
  status: 400,
  error: expect.stringMatching(/read the body.*before the bot/) as unknown,
};

async function answerOf(response: Response) {
  const { error } = (await response.json()) as { error?: unknown };
  return { status: response.status, error };
}

describe.each([
  ['Express 4', express4],
  ['Express 5', express],
])('%s', (_name, make) => {
  const inApp = (...before: RequestHandler[]) =>
    listening(make().use('/bots', ...before, webhook(bots)));

  test.each<[string, RequestHandler[]]>([
    ['urlencoded()', [make.urlencoded({ extended: true })]],
    ['text()', [make.text()]],
    ['raw()', [make.raw()]],
    ['all four', [make.urlencoded({ extended: false }), make.text(), make.raw(), make.json()]],
    ['one that leaves null', [(request, _, next) => ((request.body = null), next())]],
    ['one that leaves an empty text', [(request, _, next) => ((request.body = ''), next())]],
  ])('a delivery that the parser before the webhook skips is read: %s', async (_name, before) => {
    const response = await post(await inApp(...before), json);
    expect(await response.json()).toEqual({ content: 'héllo 🛎️' });
  });

  test('a delivery in the Slack-compatible form is read behind json()', async () => {
    const url = await inApp(make.json());
    const response = await post(url, form, 'application/x-www-form-urlencoded');
    expect(await response.json()).toEqual({ text: 'hello' });
  });

  test('the signature of a delivery that the parser skips is checked', async () => {
    const response = await fetch(await inApp(make.text()), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'webhook-id': 'x',
        'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
        'webhook-signature': 'v1,eA==',
      },
      body: json,
    });
    expect(response.status).toBe(401);
  });

  test.each<[string, RequestHandler[]]>([
    ['forgotten', [forget]],
    ['forgotten behind text()', [make.text(), forget]],
    ['taken for a form', [make.urlencoded({ extended: false, type: () => true })]],
  ])('a body that was read and is lost is refused with what to change: %s', async (_, before) => {
    expect(await answerOf(await post(await inApp(...before), json))).toEqual(lost);
  });

  test.each<[string, RequestHandler]>([
    ['json()', make.json()],
    ['text()', make.text({ type: () => true })],
    ['raw()', make.raw({ type: () => true })],
  ])('a compressed body that a parser has inflated is read: %s', async (_name, parser) => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const body = new Uint8Array(gzipSync(json));
    const response = await fetch(await inApp(parser), { method: 'POST', headers, body });
    expect(await response.json()).toEqual({ content: 'héllo 🛎️' });
  });

  test('the charset of bytes that raw() has read counts', async () => {
    const url = await inApp(make.raw({ type: () => true }));
    const response = await post(url, json, 'application/json; charset=utf-16');
    expect(response.status).toBe(415);
  });

  test('an empty object behind json() is refused without details', async () => {
    const response = await post(await inApp(make.json()), '{}');
    expect(await answerOf(response)).toEqual({ status: 400, error: 'Bad Request' });
  });
});

describe('Fastify', () => {
  async function inApp(before: (app: FastifyInstance) => unknown): Promise<string> {
    const app = fastify();
    before(app);
    await app.register(fastifyWebhook(bots), { prefix: '/bots' });
    onTestFinished(() => app.close());
    return `${await app.listen({ port: 0, host: '127.0.0.1' })}/bots`;
  }

  test('the parsers of the application have no part in deliveries', async () => {
    const url = await inApp((app) => {
      app.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined));
    });
    expect(await (await post(url, json)).json()).toEqual({ content: 'héllo 🛎️' });
  });

  test('a compressed body that a hook has inflated is read', async () => {
    const url = await inApp((app) =>
      app.addHook('preParsing', (_request, _reply, payload, done) => {
        const inflated = payload.pipe(createGunzip());
        // Fastify compares it with the content-length.
        let receivedEncodedLength = 0;
        payload.on('data', (chunk: Buffer) => (receivedEncodedLength += chunk.length));
        Object.defineProperty(inflated, 'receivedEncodedLength', {
          get: () => receivedEncodedLength,
        });
        done(null, inflated);
      }),
    );
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const body = new Uint8Array(gzipSync(json));
    const response = await fetch(url, { method: 'POST', headers, body });
    expect(await response.json()).toEqual({ content: 'héllo 🛎️' });
  });

  test('a body that Express middleware has parsed is taken', async () => {
    const parse = express.json();
    const url = await inApp((app) =>
      app.addHook('onRequest', (request, reply, done) =>
        parse(request.raw as never, reply.raw as never, () => done()),
      ),
    );
    expect(await (await post(url, json)).json()).toEqual({ content: 'héllo 🛎️' });
  });

  test('a body that was read and is lost is refused with what to change', async () => {
    const url = await inApp((app) => app.addHook('onRequest', ({ raw }) => forgets(raw)));
    expect(await answerOf(await post(url, json))).toEqual(lost);
  });
});

describe('Hono', () => {
  const asked = (before: MiddlewareHandler, body: string, type = 'application/json') =>
    new Hono()
      .use(before)
      .all('/bots', honoWebhook(bots))
      .request('/bots', { method: 'POST', headers: { 'content-type': type }, body });

  test.each<[string, MiddlewareHandler]>([
    ['json()', async ({ req }, next) => (await req.json(), next())],
    ['text()', async ({ req }, next) => (await req.text(), next())],
    ['arrayBuffer()', async ({ req }, next) => (await req.arrayBuffer(), next())],
    [
      'json() of earlier versions, which kept only its result',
      async ({ req }, next) => {
        req.bodyCache.json = req.raw.json() as never;
        await next();
      },
    ],
  ])('a body that the application has read is taken: %s', async (_name, before) => {
    expect(await (await asked(before, json)).json()).toEqual({ content: 'héllo 🛎️' });
  });

  test.each(['json', 'text', 'arrayBuffer', 'parseBody'] as const)(
    'the declared charset of a body that the application has read counts: %s()',
    async (read) => {
      const before: MiddlewareHandler = async ({ req }, next) => {
        const readers: Readonly<Record<typeof read, () => Promise<unknown>>> = {
          json: () => req.json(),
          text: () => req.text(),
          arrayBuffer: () => req.arrayBuffer(),
          parseBody: () => req.parseBody(),
        };
        await readers[read]();
        await next();
      };
      const isForm = read === 'parseBody';
      const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
      const response = await asked(before, isForm ? form : json, `${type}; charset=latin1`);
      expect(response.status).toBe(415);
    },
  );

  test('a form that the application has read is taken', async () => {
    const before: MiddlewareHandler = async ({ req }, next) => (await req.parseBody(), next());
    const response = await asked(before, form, 'application/x-www-form-urlencoded');
    expect(await response.json()).toEqual({ text: 'hello' });
  });

  test('a body that was read and is lost is refused with what to change', async () => {
    const response = await asked(async ({ req }, next) => (await req.raw.text(), next()), json);
    expect(await answerOf(response)).toEqual(lost);
  });
});

describe('fetchHandler', () => {
  const request = () => new Request('http://bots.test/', { method: 'POST', body: json });

  test('a request whose body was read is refused with what to change', async () => {
    const read = request();
    await read.text();
    expect(await answerOf(await fetchHandler(bots)(read))).toEqual(lost);
  });

  test('a request whose body is being read is refused with what to change', async () => {
    const locked = request();
    locked.body?.getReader();
    expect(await answerOf(await fetchHandler(bots)(locked))).toEqual(lost);
  });
});

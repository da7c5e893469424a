import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

import { expect, onTestFinished, test } from 'vitest';

import { createBot } from '../create-bot.ts';
import { mention } from '../example-payload.fixture.ts';
import { start } from '../start.ts';
import type { ServeOptions } from './serve.ts';

const makeBot = () => createBot({ email: 'echo-bot@chat.test', token: 'genuine' });
const echo = makeBot().fallback((ctx) => ctx.text);

async function serving(bot = echo, options: Partial<ServeOptions> = {}) {
  const served = await start([bot], { port: 0, signals: false, ...options });
  onTestFinished(() => served.stop(0));
  return served;
}

const deliver = (url: string) =>
  fetch(url, { method: 'POST', body: JSON.stringify(mention('hello')) });

/** A bot whose handler reports its start and waits until the test releases it or has finished. */
function held() {
  const started = Promise.withResolvers<void>();
  const released = Promise.withResolvers<string>();
  const release = () => released.resolve('done');
  onTestFinished(release);
  const bot = makeBot().fallback(() => {
    started.resolve();
    return released.promise;
  });
  return { bot, started: started.promise, release };
}

async function rawSocket(url: string) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return socket;
}

const head = (line: string) => `POST / HTTP/1.1\r\nhost: bots.test\r\n${line}\r\n\r\n`;

test('port 0 serves a bot on a free port of 127.0.0.1', async () => {
  const { url } = await serving();
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
  const response = await deliver(url);
  expect(await response.json()).toEqual({ content: 'hello' });
});

test('a taken port rejects with an error that names it', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  await expect(start([echo], { port })).rejects.toThrow(`Port ${port} of 127.0.0.1 is taken`);
});

test('stop() waits for a running delivery and refuses new connections', async () => {
  const { bot, started, release } = held();
  const { url, stop } = await serving(bot);
  // Unlike fetch, it closes no connection that is kept alive.
  const socket = await rawSocket(url);
  const answer = text(socket);
  const body = JSON.stringify(mention('hello'));
  socket.write(head(`content-length: ${Buffer.byteLength(body)}`) + body);
  await started;
  const stopped = stop();
  await expect(deliver(url)).rejects.toThrow();
  const releasedAt = performance.now();
  release();
  await stopped;
  // Shorter than the 5 s for which the server keeps a connection alive.
  expect(performance.now() - releasedAt).toBeLessThan(4500);
  expect(await answer).toContain('{"content":"done"}');
  expect(stop()).toBe(stopped);
});

test('stop() closes idle connections', async () => {
  const { url, stop } = await serving();
  const socket = await rawSocket(url);
  const body = JSON.stringify(mention('hello'));
  socket.write(head(`content-length: ${Buffer.byteLength(body)}`) + body);
  await once(socket, 'data');
  const closed = once(socket, 'close');
  await stop();
  await closed;
});

test('stop() closes the connection of a handler that runs longer than graceMs', async () => {
  const { bot, started } = held();
  const { url, stop } = await serving(bot);
  const delivery = deliver(url);
  const cut = expect(delivery).rejects.toThrow();
  await started;
  await stop(10);
  await cut;
});

test('a body that takes longer than requestTimeoutMs is answered with 408', async () => {
  const { url } = await serving(echo, { requestTimeoutMs: 100 });
  const socket = await rawSocket(url);
  socket.write(`${head('content-length: 50')}{"bot_email":`);
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toContain('408 Request Timeout');
  await once(socket, 'close');
});

test('each of several content-encodings counts', async () => {
  const { url } = await serving();
  const socket = await rawSocket(url);
  socket.write(head('content-encoding: identity\r\ncontent-encoding: gzip\r\ncontent-length: 0'));
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1.1 415 .*accept-encoding: identity/is);
});

test('a content-length over the limit is answered with 413 before the body is read', async () => {
  const { url } = await serving();
  const socket = await rawSocket(url);
  socket.write(head('content-length: 104857600'));
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toContain('413 Payload Too Large');
  await once(socket, 'close');
});

test('a chunked body over the limit is answered with 413', async () => {
  const { url } = await serving(echo, { maxBodyBytes: 1000 });
  const socket = await rawSocket(url);
  socket.write(`${head('transfer-encoding: chunked')}3e9\r\n${'x'.repeat(1001)}\r\n`);
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toContain('413 Payload Too Large');
  await once(socket, 'close');
});

test('a request that breaks off is reported as refused, and the server goes on', async () => {
  const reported = Promise.withResolvers<unknown>();
  const { url } = await serving(echo, { hooks: { onDelivery: reported.resolve } });
  const socket = await rawSocket(url);
  socket.write(`${head('content-length: 50')}{"bot`, () => socket.resetAndDestroy());
  expect(await reported.promise).toEqual({ outcome: 'refused', status: 400 });
  expect((await deliver(url)).status).toBe(200);
});

test('a caller that leaves during the handler does not stop it or the server', async () => {
  const { bot, started, release } = held();
  const reported = Promise.withResolvers<unknown>();
  const { url } = await serving(bot, { hooks: { onDelivery: reported.resolve } });
  const caller = new AbortController();
  const body = JSON.stringify(mention('hello'));
  const delivery = fetch(url, { method: 'POST', body, signal: caller.signal });
  const left = expect(delivery).rejects.toThrow();
  await started;
  caller.abort();
  await left;
  release();
  expect(await reported.promise).toMatchObject({ outcome: 'replied' });
  expect((await deliver(url)).status).toBe(200);
});

/** A bot in a child process, with a delivery that runs until the test releases it. */
async function runningScript() {
  const script = `
    import { createBot, start } from '@bellhop/bot';
    const bot = createBot({ email: 'echo-bot@chat.test', token: 'genuine' });
    bot.fallback(async () => {
      console.log('running');
      await new Promise((resolve) => process.once('message', resolve));
      return 'done';
    });
    setInterval(() => {}, 1000);
    console.log((await start([bot], { port: 0 })).url);
  `;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  if (child.stdout === null) throw new Error('The script has no output');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const url = String((await lines.next()).value);
  const delivery = deliver(url).then((response) => response.text());
  expect((await lines.next()).value).toBe('running');
  return { child, url, delivery, exited: once(child, 'exit') };
}

// A GET reaches no handler, so a request that arrives before the signal ends at once.
const refuses = (url: string) =>
  expect.poll(() => fetch(url).catch(() => 'refused')).toBe('refused');

// Windows has no signals to send.
if (process.platform !== 'win32') {
  test.each(['SIGTERM', 'SIGINT'] as const)(
    '%s lets a running delivery finish, then ends the process',
    async (signal) => {
      const { child, url, delivery, exited } = await runningScript();
      child.kill(signal);
      await refuses(url);
      child.send('go on');
      expect(await delivery).toBe('{"content":"done"}');
      expect(await exited).toEqual([null, signal]);
    },
  );

  test('a second signal ends the process at once', async () => {
    const { child, url, delivery, exited } = await runningScript();
    const cut = expect(delivery).rejects.toThrow();
    child.kill('SIGINT');
    await refuses(url);
    child.kill('SIGINT');
    expect(await exited).toEqual([null, 'SIGINT']);
    await cut;
  });
}

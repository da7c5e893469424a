import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { BodiesInFlight, UNCOUNTED_BYTES } from './bodies-in-flight.ts';
import { startTestService } from './test-service.fixture.ts';

/** Of bodies of 45,000 bytes, one address may have one, and all together two. */
const LIMIT = 70_000;
let server: Awaited<ReturnType<typeof startTestService>>;
beforeAll(async () => {
  const bodies = new BodiesInFlight(LIMIT);
  server = await startTestService({ bodies, bodyLimit: 90_000, behindProxy: true });
});
afterAll(() => server.stop(0));

const FORM = 'application/x-www-form-urlencoded';

/** Sends the beginning of a body of 45,000 bytes. */
function begin(bytes: number, address: string): Promise<Socket> {
  const socket = connect(server.port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write('POST /api/v1/things HTTP/1.1\r\nhost: a\r\nconnection: close\r\n');
  socket.write(`x-forwarded-for: ${address}\r\ncontent-type: ${FORM}\r\n`);
  socket.write(`content-length: 45000\r\n\r\nneeded=${'x'.repeat(bytes - 7)}`);
  return new Promise((resolve) => socket.once('connect', () => resolve(socket)));
}

const send = (bytes: number, address: string) =>
  server.ask('/things', {
    method: 'POST',
    headers: { 'content-type': FORM, 'x-forwarded-for': address },
    body: `needed=${'x'.repeat(bytes - 7)}`,
  });

test('bodies that do not end count for their address, and for the process', async () => {
  const [first, second] = ['192.0.2.1', '192.0.2.2'];
  const unfinished = await begin(40_000, first);
  await expect
    .poll(() => send(40_000, first))
    .toMatchObject({
      status: 429,
      body: { code: 'RATE_LIMIT_HIT', 'retry-after': 1, msg: expect.stringMatching(/Try again/) },
    });
  expect((await send(40_000, second)).status).toBe(200);
  expect((await send(10_000, first)).status).toBe(200);
  expect((await send(80_000, second)).status).toBe(429);
  unfinished.destroy();
  await expect.poll(async () => (await send(40_000, first)).status).toBe(200);
  expect((await send(40_000, first)).status).toBe(200);
});

test('a body whose request is answered counts no more', async () => {
  const address = '192.0.2.1';
  const socket = await begin(40_000, address);
  await expect.poll(async () => (await send(40_000, address)).status).toBe(429);
  socket.write('x'.repeat(5_000));
  expect(await text(socket)).toMatch(/^HTTP\/1.1 200 /);
  for (let each = 0; each < 5; each++) expect((await send(45_000, address)).status).toBe(200);
});

test('of a body that is refused nothing is kept while the rest comes', async () => {
  const address = '192.0.2.1';
  const socket = connect(server.port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write('POST /api/v1/things HTTP/1.1\r\nhost: a\r\n');
  socket.write(`x-forwarded-for: ${address}\r\ncontent-type: ${FORM}\r\n`);
  socket.write(`content-length: 900000\r\n\r\n${'x'.repeat(45_000)}`);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1.1 413 /);
  socket.write('x'.repeat(45_000));
  expect((await send(45_000, address)).status).toBe(200);
  socket.destroy();
});

test('the addresses of an IPv6 /64 are one', async () => {
  const socket = await begin(40_000, '2001:db8::1');
  await expect.poll(async () => (await send(40_000, '2001:db8::2')).status).toBe(429);
  expect((await send(40_000, '2001:db8:0:1::2')).status).toBe(200);
  socket.destroy();
});

test('however many addresses hold what they may, a message has a place', () => {
  const bodies = new BodiesInFlight(1_000_000);
  for (let each = 0; each < 200; each++) {
    const body = bodies.of(`192.0.2.${each}`);
    expect(() => {
      for (;;) body.add(1_000);
    }).toThrow('Too many large requests');
  }
  const body = bodies.of('203.0.113.9');
  expect(() => body.add(10_000)).not.toThrow();
  expect(() => body.add(10_000)).toThrow('Too many large requests');
});

test('a body that is released twice counts once', () => {
  const bodies = new BodiesInFlight(1_000);
  const add = (bytes: number) => () => bodies.of('192.0.2.1').add(UNCOUNTED_BYTES + bytes);
  const body = bodies.of('192.0.2.1');
  body.add(UNCOUNTED_BYTES + 400);
  expect(add(300)).toThrow();
  body.release();
  body.release();
  expect(add(1_001)).toThrow();
  expect(add(1_000)).not.toThrow();
});

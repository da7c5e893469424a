import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

import { afterEach, expect, test } from 'vitest';

import { createOutbound } from './outbound.ts';

const running: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of running.splice(0).toReversed()) await stop();
});

/** Posts twice over one connection to a server that writes these pieces one by one. */
async function answersOf(pieces: readonly string[]) {
  const server = createServer((socket: Socket) => {
    socket.setNoDelay();
    socket.on('data', () => {
      void (async () => {
        for (const piece of pieces) {
          socket.write(piece);
          await new Promise((done) => setTimeout(done, 20));
        }
      })();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const outbound = createOutbound({ allow: ['127.0.0.0/8'] });
  running.push(
    async () => server.close(),
    () => outbound.close(),
  );
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const texts = [];
  for (const _twice of [1, 2]) {
    const { status, body } = await outbound.post(url, { body: '{}' });
    texts.push(`${status} ${body.toString()}`);
  }
  return texts;
}

const interim = 'HTTP/1.1 100 Continue\r\n\r\n';
const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 12\r\n\r\n';

test.each([
  ['before the response', [`${interim}${ok}HTTP/1.1 100`]],
  [
    'twice, with a header',
    [`HTTP/1.1 100 Continue\r\nx: y\r\n\r\n${interim}`, `${ok}HTTP/1.1 100`],
  ],
  ['in pieces', ['H', 'TTP/1.1 100 Cont', 'inue\r\n\r', '\n', ok, 'HTTP/1.1', ' 100']],
  ['only in the body', [ok, 'HTTP/1.1 100']],
])('an unasked 100 Continue %s does not break the answer', async (_where, pieces) => {
  expect(await answersOf(pieces)).toEqual(['200 HTTP/1.1 100', '200 HTTP/1.1 100']);
});

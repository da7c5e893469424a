import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { text } from 'node:stream/consumers';

import { expect, onTestFinished, test, vi } from 'vitest';

import { OneWriteSocket } from './one-write-socket.ts';

test('writes what was corked at once, in its order, before and after it is connected', async () => {
  const server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const received = once(server, 'connection').then(([socket]) =>
    text(socket).finally(() => socket.end()),
  );
  const socket = new OneWriteSocket();
  const writes = vi.spyOn(socket, '_write');
  const corked = (...parts: string[]) => {
    socket.cork();
    for (const part of parts) socket.write(Buffer.from(part));
    socket.uncork();
  };
  socket.connect((server.address() as AddressInfo).port, '127.0.0.1');
  corked('begin ', 'first ');
  await once(socket, 'connect');
  corked('second ', 'third ', 'commit');
  expect(writes).toHaveBeenCalledTimes(2);
  socket.end();
  expect(await received).toBe('begin first second third commit');
});

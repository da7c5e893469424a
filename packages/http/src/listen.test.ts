import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

import { expect, test } from 'vitest';

import { listen, PortTaken } from './listen.ts';

test('listen rejects with PortTaken', async () => {
  await using first = await listen((_request, response) => response.end());
  const second = listen((_request, response) => response.end(), { port: first.port });
  await expect(second).rejects.toThrow(PortTaken);
  await expect(second).rejects.toThrow(String(first.port));
});

test('the URL of an IPv6 address has brackets', async () => {
  await using listening = await listen((_request, response) => response.end('v6'), { host: '::1' });
  expect(listening.url).toBe(`http://[::1]:${listening.port}`);
  expect(await (await fetch(listening.url)).text()).toBe('v6');
});

test('a URL with five thousand ids is accepted', async () => {
  const ids = Array.from({ length: 5000 }, (_, index) => 1_000_000_000 + index);
  await using listening = await listen(({ url }, response) => response.end(url));
  const path = `/messages?message_ids=${JSON.stringify(ids)}`;
  const response = await fetch(listening.url + path);
  expect([response.status, await response.text()]).toEqual([200, path]);
});

test('an address that is too long is answered with PAYLOAD_TOO_LARGE', async () => {
  await using listening = await listen((_request, response) => response.end());
  const response = await fetch(`${listening.url}/messages?narrow=${'x'.repeat(140_000)}`);
  expect([response.status, response.headers.get('content-type')]).toEqual([
    413,
    'application/json',
  ]);
  expect(await response.json()).toEqual({
    result: 'error',
    code: 'PAYLOAD_TOO_LARGE',
    msg: expect.stringContaining('131072 bytes'),
  });
});

test('a request that is not HTTP is answered with BAD_REQUEST', async () => {
  await using listening = await listen((_request, response) => response.end());
  const socket = connect(listening.port, '127.0.0.1').end('GET messages\r\n\r\n');
  const answer = await text(socket);
  expect(answer).toMatch(/^HTTP\/1.1 400 Bad Request\r\nconnection: close\r\n/);
  expect(answer).toContain('"code":"BAD_REQUEST"');
});

test('stop waits for a running request, then closes its kept-alive connection', async () => {
  const arrived = Promise.withResolvers<() => void>();
  const listening = await listen((_request, response) =>
    arrived.resolve(() => response.end('done')),
  );
  const agent = new Agent({ keepAlive: true });
  const answered = once(get(listening.url, { agent }), 'response') as Promise<[IncomingMessage]>;
  const finish = await arrived.promise;
  // Longer than the test may take: only the end of the request and of its connection ends the wait.
  const stopped = listening.stop(600_000);
  await expect(fetch(listening.url)).rejects.toThrow();
  finish();
  const [response] = await answered;
  response.resume();
  await stopped;
  agent.destroy();
});

test('stop closes connections after graceMs, and may be called twice', async () => {
  const listening = await listen(() => undefined);
  const hanging = fetch(listening.url);
  const failed = expect(hanging).rejects.toThrow();
  await once(listening.server, 'request');
  await Promise.all([listening.stop(10), listening.stop(60_000)]);
  await failed;
  await listening.stop();
});

test('a service that leaves answers on kept-alive connections, and closes each after its answer', async () => {
  const arrived = Promise.withResolvers<() => void>();
  await using listening = await listen(({ url }, response) => {
    if (url === '/slow') arrived.resolve(() => response.end('slow'));
    else response.end('quick');
  });
  const agent = new Agent({ keepAlive: true });
  const ask = async (path: string) => {
    const [response] = (await once(get(listening.url + path, { agent }), 'response')) as [
      IncomingMessage,
    ];
    return [await text(response), response.headers.connection];
  };
  expect(await ask('/')).toEqual(['quick', 'keep-alive']);
  const slow = ask('/slow');
  const finish = await arrived.promise;
  listening.leave();
  finish();
  expect(await slow).toEqual(['slow', 'close']);
  expect(await ask('/')).toEqual(['quick', 'close']);
  agent.destroy();
});

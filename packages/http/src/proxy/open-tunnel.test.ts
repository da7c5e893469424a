import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { text } from 'node:stream/consumers';

import { afterEach, expect, test } from 'vitest';

import { startConnectProxy } from './connect-proxy.fixture.ts';
import { openTunnel, TunnelFailed } from './open-tunnel.ts';
import { Proxies } from './proxies.ts';

const running: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of running.splice(0)) await stop();
});

async function startProxy(...[options]: Parameters<typeof startConnectProxy>) {
  const proxy = await startConnectProxy(options);
  running.push(() => proxy.stop());
  return proxy;
}
/** A server that says hello to everybody. */
async function startGreeter(): Promise<number> {
  const server = createServer((socket) => socket.end('hello'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  running.push(async () => {
    server.close();
    await once(server, 'close');
  });
  return (server.address() as AddressInfo).port;
}
const proxyAt = (host: string, login = '') => {
  const proxy = new Proxies({ https: `http://${login}${host}` }).for(new URL('https://x.example'));
  if (!proxy) throw new Error('There is no proxy');
  return proxy;
};
const open = (host: string, port: number, { login = '', timeoutMs = 10_000 } = {}) =>
  openTunnel(proxyAt(host, login), { host: 'push.example.com', port }, { timeoutMs });

test('a tunnel leads to the host and port that the proxy was asked for', async () => {
  const port = await startGreeter();
  const proxy = await startProxy({ login: 'ada:secret' });
  const socket = await open(proxy.host, port, { login: 'ada:secret@' });
  expect(await text(socket)).toBe('hello');
  expect(proxy.asked).toEqual([`push.example.com:${port}`]);
});

test.each([
  [{ login: 'ada:other' }, 'login', 'wants a login (407)'],
  [{ answer: 502 }, 'refused', 'opens no connection to push.example.com:443 (status 502)'],
  [{ answer: 403 }, 'refused', 'opens no connection to push.example.com:443 (status 403)'],
  [{ answer: 'silent' }, 'timeout', 'did not answer within 0.3 s'],
] as const)(
  'a proxy with %j causes an error that names the proxy without its login',
  async (options, kind, words) => {
    const proxy = await startProxy(options);
    const timeoutMs = kind === 'timeout' ? 300 : 10_000;
    const opening = open(proxy.host, 443, { login: 'ada:secret@', timeoutMs });
    const failure = await opening.catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(TunnelFailed);
    expect(failure).toMatchObject({ kind, message: `the proxy http://${proxy.host} ${words}` });
  },
);

test('a proxy that does not exist, or breaks off, is unreachable', async () => {
  await expect(open('127.0.0.1:1', 443)).rejects.toMatchObject({
    kind: 'unreachable',
    message: expect.stringContaining('the proxy http://127.0.0.1:1: connect ECONNREFUSED'),
  });
  const rude = createServer((socket) => socket.destroy());
  rude.listen(0, '127.0.0.1');
  await once(rude, 'listening');
  running.push(async () => {
    rude.close();
    await once(rude, 'close');
  });
  const { port } = rude.address() as AddressInfo;
  await expect(open(`127.0.0.1:${port}`, 443)).rejects.toMatchObject({ kind: 'unreachable' });
});

test('an aborted wait for a proxy ends with the reason', async () => {
  const proxy = await startProxy({ answer: 'silent' });
  const given = new AbortController();
  const opening = openTunnel(
    proxyAt(proxy.host),
    { host: 'push.example.com', port: 443 },
    { timeoutMs: 5_000, signal: given.signal },
  );
  given.abort(new Error('no longer wanted'));
  await expect(opening).rejects.toThrow('no longer wanted');
});

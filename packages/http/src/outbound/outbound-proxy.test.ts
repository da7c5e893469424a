import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';

import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';

import { startConnectProxy } from '../proxy/connect-proxy.fixture.ts';
import { Proxies } from '../proxy/proxies.ts';
import { loopbackCertificate, loopbackKey } from './loopback-certificate.fixture.ts';
import { createOutbound, type Outbound, type OutboundOptions } from './outbound.ts';

const server = createServer({ cert: loopbackCertificate, key: loopbackKey }, (_, response) => {
  response.end('reached');
});
let port = 0;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

let proxy: Awaited<ReturnType<typeof startConnectProxy>>;
let outbound: Outbound | undefined;
beforeEach(async () => {
  proxy = await startConnectProxy();
});
afterEach(async () => {
  await outbound?.close();
  await proxy.stop();
});

const resolve = vi.fn<NonNullable<OutboundOptions['resolve']>>();
beforeEach(() => void resolve.mockReset());

/** Gets a URL through the proxy. */
async function get(url: string, options: OutboundOptions = {}) {
  outbound = createOutbound({
    allow: ['127.0.0.0/8'],
    ca: [loopbackCertificate],
    proxies: new Proxies({ https: proxy.host }),
    resolve,
    ...options,
  });
  return (await outbound.get(url, { totalTimeoutMs: 10_000 })).body.toString();
}

test('a host that the operator trusts is passed to the proxy by name, without a lookup', async () => {
  expect(await get(`https://localhost:${port}/`, { trusts: () => true })).toBe('reached');
  expect(proxy.asked).toEqual([`localhost:${port}`]);
  expect(resolve).not.toHaveBeenCalled();
});

test('any other host is looked up, and the proxy gets the address that was checked', async () => {
  resolve.mockResolvedValue([{ address: '127.0.0.1' }]);
  expect(await get(`https://localhost:${port}/`)).toBe('reached');
  expect(proxy.asked).toEqual([`127.0.0.1:${port}`]);
});

test.each([
  ['a name with a forbidden address', 'https://push.example.com/', '10.0.0.1'],
  ['a forbidden address', 'https://10.0.0.1/', '8.8.8.8'],
  ['a forbidden address, though trusted', 'https://169.254.169.254/', '8.8.8.8'],
])('%s is refused before the proxy is asked', async (what, url, address) => {
  resolve.mockResolvedValue([{ address }]);
  const trusts = () => what.includes('trusted');
  await expect(get(url, { allow: [], trusts })).rejects.toMatchObject({
    fault: 'address_forbidden',
  });
  expect(proxy.asked).toEqual([]);
});

test('a certificate of another host is refused through a proxy too', async () => {
  const trusts = () => true;
  await expect(get(`https://push.example.com:${port}/`, { trusts })).rejects.toMatchObject({
    fault: 'certificate',
    safeMessage: 'The certificate of the endpoint is not trusted.',
  });
});

test.each([
  [407, 'unreachable'],
  [502, 'unreachable'],
  ['silent', 'timeout'],
] as const)('a proxy that answers %s causes the fault "%s"', async (answer, fault) => {
  proxy.set({ answer });
  const options = { trusts: () => true, connectTimeoutMs: answer === 'silent' ? 200 : 10_000 };
  await expect(get(`https://localhost:${port}/`, options)).rejects.toMatchObject({ fault });
});

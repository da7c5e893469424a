import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { loopbackCertificate, loopbackKey } from '../outbound/loopback-certificate.fixture.ts';
import { startConnectProxy } from './connect-proxy.fixture.ts';
import { proxiedFetch } from './proxied-fetch.ts';
import { Proxies } from './proxies.ts';

const server = createServer(
  { cert: loopbackCertificate, key: loopbackKey },
  (request, response) => {
    void text(request).then((body) => response.end(`${request.method} ${body}`));
  },
);
let url = '';
const authorities = getCACertificates('default');
beforeAll(async () => {
  setDefaultCACertificates([...authorities, loopbackCertificate]);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `https://localhost:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  setDefaultCACertificates(authorities);
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

const post = { method: 'POST', body: new URLSearchParams({ a: '1' }) };

test('proxiedFetch sends requests over TLS through the proxy, others directly', async () => {
  const proxy = await startConnectProxy({ login: 'ada:hush' });
  const https = `http://ada:hush@${proxy.host}`;
  const answer = await proxiedFetch(new Proxies({ https }))(url, post);
  expect(await answer.text()).toBe('POST a=1');
  expect(proxy.asked).toEqual([new URL(url).host]);
  const direct = await proxiedFetch(new Proxies({ https, no: 'localhost' }))(url, post);
  expect(await direct.text()).toBe('POST a=1');
  expect(proxy.asked).toHaveLength(1);
  await proxy.stop();
});

test('proxiedFetch fails with the answer of the proxy as its cause, without the login', async () => {
  const proxy = await startConnectProxy({ login: 'ada:other' });
  const fetched = proxiedFetch(new Proxies({ https: `http://ada:hush@${proxy.host}` }))(url, post);
  await expect(fetched).rejects.toMatchObject({
    cause: { message: `the proxy http://${proxy.host} wants a login (407)` },
  });
  await proxy.stop();
});

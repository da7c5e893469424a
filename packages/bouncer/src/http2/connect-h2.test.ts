import { once } from 'node:events';
import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';

import { Proxies } from '@bellhop/http/proxy';
import { startConnectProxy } from '@bellhop/http/proxy/testing';
import { createTlsIdentity } from '@bellhop/push-simulator';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { H2Pool } from './h2-pool.ts';

let origin: string;
let ca: string;
const ends = new AsyncDisposableStack();
beforeAll(async () => {
  const identity = await createTlsIdentity();
  const { cert, key } = identity;
  ({ ca } = identity);
  const server = createSecureServer({ cert, key }, (_request, response) => response.end('hello'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.defer(() => void server.close());
  origin = `https://localhost:${(server.address() as AddressInfo).port}`;
});
afterAll(() => ends.disposeAsync());

const request = { path: '/', headers: {}, body: '' };

test.each([
  ['silent', 'did not answer within 0.16 s'],
  [407, 'wants a login (407)'],
  [502, '(status 502)'],
] as const)(
  'a request fails while the proxy answers %s; a later one is sent when it opens tunnels',
  async (answer, words) => {
    const proxy = await startConnectProxy({ answer });
    const troubles: string[] = [];
    const pool = new H2Pool({
      origin,
      ca,
      proxies: new Proxies({ https: `http://ada:hush@${proxy.host}` }),
      connectTimeoutMs: answer === 'silent' ? 200 : 10_000,
      trouble: (what, error) => troubles.push(`${what}: ${error?.message}`),
    });
    try {
      // On a busy machine the time for connecting may end before the shorter time for the proxy.
      await vi.waitFor(async () => {
        await expect(pool.request(request)).rejects.toMatchObject({ kind: 'connect' });
        expect(troubles.join('\n')).toContain(words);
      }, 15_000);
      expect(troubles.join('\n')).not.toContain('hush');
      proxy.set({ answer: undefined });
      await expect
        .poll(() => pool.request(request).catch(() => undefined))
        .toMatchObject({
          status: 200,
          body: 'hello',
        });
      expect(pool.state().sessions).toBe(1);
    } finally {
      pool.close();
      await proxy.stop();
    }
  },
);

test('a pool that closes while a silent proxy is asked leaves no connection', async () => {
  const proxy = await startConnectProxy({ answer: 'silent' });
  const pool = new H2Pool({ origin, ca, proxies: new Proxies({ https: proxy.host }) });
  const asked = pool.request(request);
  await expect.poll(() => proxy.asked).toHaveLength(1);
  pool.close();
  await expect(asked).rejects.toMatchObject({ kind: 'closed' });
  await expect.poll(() => proxy.connections()).toBe(0);
  await proxy.stop();
});

import { Proxies } from '@bellhop/http/proxy';
import { startConnectProxy } from '@bellhop/http/proxy/testing';
import type { TokenKind } from '@bellhop/protocol';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';

import { startPushTest } from '../doors/push-test.fixture.ts';
import { sendersOf } from '../health/senders.fixture.ts';

const { bouncer, addDevice, notifyAll, received } = await startPushTest();
const { webpush, senders } = sendersOf(bouncer.config);
const LOGIN = 'ada:hush-hush';
const proxy = await startConnectProxy({ login: LOGIN });
afterAll(() => proxy.stop());

const { simulator } = bouncer;
const hostOf: Readonly<Record<TokenKind, string>> = {
  apns: new URL(simulator.apns_url).host,
  fcm: new URL(simulator.fcm_url).host,
  webpush: new URL(simulator.webpush_url).host,
};
const kinds = ['apns', 'fcm', 'webpush'] as const;
const through = (login: string, no?: string) =>
  new Proxies({ https: `http://${login}@${proxy.host}`, no });
beforeEach(() => {
  proxy.asked.length = 0;
});

test.each(kinds)('a notification of %s goes through the proxy, with its login', async (kind) => {
  await bouncer.restart({ proxies: through(LOGIN) });
  const device = await addDevice(kind);
  expect((await notifyAll(kind, device)).outcomes).toMatchObject([{ outcome: 'accepted' }]);
  expect(received(device)).toHaveLength(1);
  const tunnels = proxy.asked.filter((target) => target === hostOf[kind]);
  // Google's token endpoint has a connection of its own.
  expect(tunnels.length).toBeGreaterThanOrEqual(kind === 'fcm' ? 2 : 1);
});

test.each(kinds)('NO_PROXY excepts %s', async (kind) => {
  await bouncer.restart({ proxies: through(LOGIN, `10.0.0.0/8,${hostOf[kind]}`) });
  const device = await addDevice(kind);
  expect((await notifyAll(kind, device)).outcomes).toMatchObject([{ outcome: 'accepted' }]);
  expect(proxy.asked).not.toContain(hostOf[kind]);
});

test('with any push service, the proxy gets the address that was checked', async () => {
  const proxies = through(LOGIN);
  await bouncer.restart({ proxies, ...senders({ webpush: { ...webpush, hosts: 'any' } }) });
  const device = await addDevice('webpush');
  expect((await notifyAll('webpush', device)).outcomes).toMatchObject([{ outcome: 'accepted' }]);
  expect(proxy.asked).toContain(hostOf.webpush);
});

test('a wrong login of the proxy queues notifications, deletes no device and is not logged', async () => {
  await bouncer.restart({ proxies: through('ada:wrong') });
  const devices = await Promise.all(kinds.map((kind) => addDevice(kind)));
  const answers = await Promise.all(
    kinds.map((kind, at) => notifyAll(kind, ...devices.slice(at, at + 1))),
  );
  for (const { outcomes } of answers) expect(outcomes).toMatchObject([{ outcome: 'queued' }]);
  await bouncer.restart({ proxies: through(LOGIN) });
  await vi.waitFor(() => {
    for (const device of devices) expect(received(device)).toHaveLength(1);
  }, 30_000);
  const log = bouncer.logged();
  expect(log).toContain('wants a login (407)');
  for (const secret of ['ada:', 'hush', 'wrong', btoa('ada:wrong')])
    expect(log).not.toContain(secret);
}, 60_000);

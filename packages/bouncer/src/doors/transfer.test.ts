import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';

import { listen } from '@bellhop/http';
import { createOutbound } from '@bellhop/http/outbound';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { randomKey, startTestBouncer, type TestBouncer } from '../test-bouncer.fixture.ts';
import { codeOf } from './push-test.fixture.ts';

/** The responses of the hosts, by host and path. */
const served = new Map<string, string>();
const hosts = await listen((request, response) => {
  const text = served.get(`${request.headers.host}${request.url}`);
  response.writeHead(text === undefined ? 404 : 200).end(text);
});
/**
 * The outbound client of production, but every public address leads to the server above, without
 * TLS.
 */
const outbound = () =>
  createOutbound({
    allow: ['127.0.0.0/8'],
    resolve: async (host) => [{ address: host.startsWith('internal') ? '10.0.0.1' : '192.0.43.7' }],
    dial: async () => {
      const socket = connect(hosts.port, '127.0.0.1');
      await once(socket, 'connect');
      return socket;
    },
  });

let bouncer: TestBouncer;
beforeAll(async () => {
  bouncer = await startTestBouncer({ outbound });
});
beforeEach(() => served.clear());
afterAll(async () => {
  await bouncer[Symbol.asyncDispose]();
  await hosts.stop(0);
});

async function squatter(hostname: string) {
  const [zulip_org_id, zulip_org_key] = [randomUUID(), randomKey()];
  const contact_email = 'admin@example.com';
  const facts = { zulip_org_id, zulip_org_key, hostname, contact_email };
  await bouncer.clientOf().servers.register(facts);
  return facts;
}
const { transfer, verifyChallenge } = {
  transfer: async (hostname: string) =>
    (await bouncer.clientOf().servers.transfer({ hostname })).verification_secret,
  verifyChallenge: (hostname: string, access_token = 'token-1') =>
    bouncer.clientOf().servers.verifyChallenge({ hostname, access_token }),
};
const serve = (hostname: string, verification_secret: string, access_token = 'token-1') =>
  served.set(
    `${hostname}/api/v1/zulip-services/verify/${access_token}/`,
    JSON.stringify({ result: 'success', msg: '', verification_secret }),
  );
const login = (id: string, key: string) =>
  codeOf(bouncer.clientOf(id, key).servers.analyticsStatus());

test('the owner of a host name takes its registration over, and the old key is refused', async () => {
  const old = await squatter('chat.example.org');
  serve('chat.example.org', await transfer('Chat.example.org.:443'));
  const { zulip_org_id, zulip_org_key } = await verifyChallenge('CHAT.example.org.');
  expect(zulip_org_id).toBe(old.zulip_org_id);
  expect(await login(zulip_org_id, zulip_org_key)).toBe('success');
  expect(await login(old.zulip_org_id, old.zulip_org_key)).toBe('UNAUTHORIZED');
  expect(await codeOf(verifyChallenge('chat.example.org'))).toBe('BAD_REQUEST');
});

test('a host that does not serve its own secret within 10 s keeps its registration', async () => {
  const owner = await squatter('owner.example.org:8443');
  const attacker = await squatter('attacker.example.org');
  const refused = async () => {
    expect(await codeOf(verifyChallenge(owner.hostname))).toBe('BAD_REQUEST');
    expect(await login(owner.zulip_org_id, owner.zulip_org_key)).toBe('success');
  };
  await refused();
  serve(owner.hostname, 'guess');
  await refused();
  serve(owner.hostname, await transfer(attacker.hostname));
  await refused();
  served.set(`${owner.hostname}/api/v1/zulip-services/verify/token-1/`, '<html>');
  await refused();
  serve(owner.hostname, await transfer(owner.hostname));
  bouncer.clock.offsetMs += 11_000;
  await refused();
});

test('only registered, active host names on the public internet are asked', async () => {
  expect(await codeOf(transfer('nobody.example.org'))).toBe('BAD_REQUEST');
  expect(await codeOf(verifyChallenge('nobody.example.org'))).toBe('BAD_REQUEST');
  const gone = await squatter('gone.example.org');
  await bouncer.clientOf(gone.zulip_org_id, gone.zulip_org_key).servers.deactivate();
  expect(await codeOf(transfer('gone.example.org'))).toBe('BAD_REQUEST');
  for (const hostname of ['internal.example.org', '10.0.0.1', '[::1]:9200']) {
    await squatter(hostname);
    serve(hostname, await transfer(hostname));
    expect([hostname, await codeOf(verifyChallenge(hostname))]).toEqual([hostname, 'BAD_REQUEST']);
  }
});

test('one address may ask for 30 verifications a day', async () => {
  await using own = await startTestBouncer({ outbound });
  const ask = () =>
    codeOf(own.clientOf().servers.verifyChallenge({ hostname: 'x', access_token: 'y' }));
  for (let times = 0; times < 30; times++) expect(await ask()).toBe('BAD_REQUEST');
  expect(await ask()).toBe('RATE_LIMIT_HIT');
});

test('addresses of one IPv6 network count as one', async () => {
  await using own = await startTestBouncer({ outbound, config: { behindProxy: true } });
  const from = async (address: string, route: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${own.url}/api/v1/remotes/${route}`, {
      method: 'POST',
      headers: { 'x-forwarded-for': address, ...headers },
      body: new URLSearchParams({ hostname: 'x', access_token: 'y' }),
    });
    return response.status;
  };
  const verify = (address: string) => from(address, 'server/register/verify_challenge');
  for (let host = 0; host < 30; host++) await verify(`2001:db8:0:1:${host}::1`);
  expect(await verify('2001:db8:0:1:ffff::1')).toBe(429);
  expect(await verify('2001:db8:0:2::1')).toBe(400);
  const wrongKey = { authorization: `Basic ${btoa('me:wrong')}` };
  const login = (address: string) => from(address, 'server/deactivate', wrongKey);
  await Promise.all(Array.from({ length: 300 }, (_, host) => login(`2001:db8:0:3:${host}::1`)));
  expect(await login('2001:db8:0:3:ffff::1')).toBe(429);
});

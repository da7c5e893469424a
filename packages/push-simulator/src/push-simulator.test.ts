import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { type JournalEvent, startSimulator, UnknownDevice } from './push-simulator.ts';
import { ask, openSession, providerToken } from './test-clients.fixture.ts';

let stateDir: string;
beforeEach(() => {
  stateDir = mkdtempSync(join(tmpdir(), 'push-simulator-'));
});
afterEach(() => rmSync(stateDir, { recursive: true }));

test('a second start in the same directory has the same credentials and devices', async () => {
  const first = await startSimulator({ state_dir: stateDir });
  const phone = first.addDevice({ kind: 'apns' });
  const gone = first.addDevice({ kind: 'fcm' });
  first.uninstall(gone.token);
  await first.stop();

  const second = await startSimulator({ state_dir: stateDir });
  expect(second.ca).toBe(first.ca);
  expect(second.credentials.apns).toEqual(first.credentials.apns);
  const { token_uri: _first, ...account } = first.credentials.fcm;
  expect(second.credentials.fcm).toMatchObject(account);
  expect(second.credentials.fcm.token_uri).toBe(`${second.fcm_url}/token`);
  expect(second.devices.find(phone.token)).toEqual(phone);
  expect(second.devices.find(gone.token)?.uninstalled?.reason).toBe('Unregistered');
  expect(statSync(join(stateDir, 'identity.json')).mode & 0o777).toBe(0o600);

  const session = await openSession(second.apns_url, first.ca);
  const authorization = `bearer ${providerToken(first.credentials.apns, Math.floor(Date.now() / 1000))}`;
  const headers = {
    ':path': `/3/device/${phone.token}`,
    authorization,
    'apns-topic': phone.app_id,
  };
  expect((await ask(session, headers, '{}')).status).toBe(200);
  session.destroy();
  await second.stop();
});

test('the start rejects a directory with foreign content and names it', async () => {
  writeFileSync(join(stateDir, 'identity.json'), '{}');
  await expect(startSimulator({ state_dir: stateDir })).rejects.toThrow(
    join(stateDir, 'identity.json'),
  );
});

test('without a directory the credentials are new; the certificate is for this machine only', async () => {
  const [first, second] = await Promise.all([startSimulator(), startSimulator()]);
  expect(first.ca).not.toBe(second.ca);
  expect(first.credentials.apns.key_id).not.toBe(second.credentials.apns.key_id);
  expect(new X509Certificate(first.ca)).toMatchObject({ ca: true });
  const session = await openSession(first.apns_url.replace('127.0.0.1', 'localhost'), first.ca);
  expect(session.alpnProtocol).toBe('h2');
  session.destroy();
  await Promise.all([first.stop(), second.stop()]);
});

test('the start rejects if a port is taken, and closes the other ports', async () => {
  const squatter = createServer().listen(0, '127.0.0.1');
  await once(squatter, 'listening');
  const { port } = squatter.address() as AddressInfo;
  const free = createServer().listen(0, '127.0.0.1');
  await once(free, 'listening');
  const { port: apnsPort } = free.address() as AddressInfo;
  free.close();
  await once(free, 'close');
  const start = startSimulator({ apns_port: apnsPort, control_port: port });
  await expect(start).rejects.toThrow('EADDRINUSE');
  const refused = once(connect(apnsPort, '127.0.0.1'), 'connect');
  await expect(refused).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  squatter.close();
  await once(squatter, 'close');
});

test('connect() takes a phone online and reports its notifications until it is ended', async () => {
  const events: JournalEvent[] = [];
  const simulator = await startSimulator({ log: (event) => events.push(event), now: () => 7 });
  const { token } = simulator.addDevice({ kind: 'fcm', online: false });
  const heard: number[] = [];
  const deliver = () =>
    simulator.devices.deliver({
      content: {
        kind: 'fcm',
        token,
        message_id: 'm',
        priority: 'high',
        collapse_key: null,
        data: {},
      },
      expires_at: 8,
    });
  expect(deliver()).toBe('stored');
  const disconnect = simulator.connect(token, ({ seq }) => heard.push(seq));
  expect(heard).toEqual([1]);
  expect(deliver()).toBe('delivered');
  disconnect();
  expect(deliver()).toBe('stored');
  expect(heard).toEqual([1, 2]);
  expect(events.map((event) => ('op' in event ? event.op : event.type))).toEqual([
    'add',
    'online',
    'notification',
    'notification',
    'offline',
  ]);
  expect(() => simulator.connect('nobody', () => undefined)).toThrow(UnknownDevice);
  await simulator.stop();
});

test('a client that trusts the authorities of two simulators connects to both', async () => {
  const simulators = await Promise.all([startSimulator(), startSimulator()]);
  const ca = simulators.map((simulator) => simulator.ca).join('\n');
  for (const { fcm_url } of simulators) {
    const session = await openSession(fcm_url, ca);
    expect(session.destroyed).toBe(false);
    session.destroy();
  }
  await Promise.all(simulators.map((simulator) => simulator.stop()));
});

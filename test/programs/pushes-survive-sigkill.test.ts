import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createClient } from '@bellhop/client';
import { expect, test, vi } from 'vitest';

import { startServerProcess } from '../crash/server-process.fixture.ts';
import { startPushBouncer } from '../support/push-stack.ts';

const MESSAGES = 30;

test('SIGKILL of a server with pushes outstanding loses no push and doubles none', async () => {
  await using ends = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), 'bellhop-kill-'));
  ends.defer(() => rm(dataDir, { recursive: true, force: true }));
  const bouncer = ends.use(await startPushBouncer());
  const env = bouncer.serverEnvironment;
  const before = await startServerProcess(dataDir, { env });
  const { apiKey } = before;
  let server = before;
  ends.defer(async () => void (await server.stop()));

  const { user_id: olivia } = await server.client.users.me();
  const ada = { email: 'ada@chat.test', password: 'a long password', full_name: 'Ada' };
  await server.client.users.create(ada);
  const { api_key } = await server.client.accounts.fetchApiKey({
    username: ada.email,
    password: ada.password,
  });
  const adas = createClient({ url: server.url, email: ada.email, apiKey: api_key });
  const phones = [bouncer.newPhone('fcm'), bouncer.newPhone('apns')];
  for (const phone of phones) await server.client.devices.registerPush(phone.registration());
  await vi.waitFor(async () => {
    const { push_devices } = await server.client.queues.register({
      fetch_event_types: ['push_device'],
    });
    for (const phone of phones)
      expect(push_devices?.[String(phone.push_account_id)]).toMatchObject({ status: 'active' });
  }, 20_000);

  // The answers of the bouncer come late, so that the kill finds pushes in every state.
  for (const provider of ['apns', 'fcm'] as const)
    bouncer.simulator.faults.add({ provider, fault: { slow_ms: 1000 } });
  const ids: number[] = [];
  for (let at = 0; at < MESSAGES; at++)
    ids.push(
      (await adas.messages.send({ type: 'direct', to: [olivia], content: `message ${at}` })).id,
    );
  await vi.waitFor(() => expect(phones[0]?.received().length).toBeGreaterThan(2), 20_000);
  await server.kill();
  expect(phones[0]?.received().length).toBeLessThan(MESSAGES);
  bouncer.simulator.faults.clear();
  server = await startServerProcess(dataDir, { apiKey, env });

  for (const phone of phones) {
    const pushed = () =>
      phone
        .received()
        .map(({ payload }) => (payload as { message_id?: number }).message_id ?? 0)
        .toSorted((a, b) => a - b);
    await vi.waitFor(() => expect(pushed()).toEqual(ids), 60_000);
  }
}, 120_000);

import { setTimeout as wait } from 'node:timers/promises';

import { createTestDatabase } from '@bellhop/postgres/testing';
import { sealing } from '@bellhop/push-crypto';
import { bouncerEnvironment, startSimulator } from '@bellhop/push-simulator';
import { expect, test } from 'vitest';

import { startNewServer } from '../support/new-server.ts';
import { startProgram } from '../support/program.ts';

const ready = /"msg":"listening"/;
test('a server that gets SIGTERM says so in /readyz, and answers every message that is sent meanwhile', async () => {
  await using server = await startNewServer({ BELLHOP_STOP_DELAY: '3' });
  const { client, program, url } = server;
  const { user_id } = await client.users.me();
  const send = () =>
    client.messages.send({ type: 'direct', to: [user_id], content: 'while it stops' });
  // Their connections are kept alive.
  await Promise.all(Array.from({ length: 50 }, send));
  const { queue_id } = await client.queues.register({ event_types: ['presence'] });
  const polled = client.queues.events({ queue_id: queue_id ?? '', last_event_id: -1 });
  await wait(50);
  const stopped = program.signal('SIGTERM');
  const sent = await Promise.all(
    Array.from({ length: 50 }, async (_, at) => {
      await wait(at);
      return send();
    }),
  );
  expect(sent).toHaveLength(50);
  const probe = await fetch(`${url}/readyz`);
  expect([probe.status, await probe.json()]).toEqual([
    503,
    { status: 'stopping', msg: 'The service is about to stop.' },
  ]);
  expect((await polled).events).toEqual([]);
  expect(await stopped).toBe(0);
  await expect(fetch(`${url}/readyz`)).rejects.toThrow();
});

test('a server that gets SIGINT, as from Ctrl-C, stops at once', async () => {
  await using server = await startNewServer({ BELLHOP_STOP_DELAY: '300' });
  expect(await server.program.signal('SIGINT')).toBe(0);
});

test('a bouncer that gets SIGTERM says so in /readyz before its port closes', async () => {
  await using ends = new AsyncDisposableStack();
  const { url: databaseUrl } = ends.use(await createTestDatabase());
  const simulator = await startSimulator();
  ends.defer(() => simulator.stop());
  const { publicKey, secretKey } = sealing.generateKeyPair();
  const program = ends.use(
    await startProgram(['bouncer'], {
      ready,
      env: {
        ...bouncerEnvironment(simulator),
        BELLHOP_BOUNCER_DATABASE_URL: databaseUrl,
        BELLHOP_BOUNCER_KEYS: `${publicKey}:${secretKey}`,
        BELLHOP_BOUNCER_PORT: '0',
        BELLHOP_BOUNCER_STOP_DELAY: '3',
      },
    }),
  );
  const url = /"url":"([^"]+)"/.exec(program.output())?.[1] ?? '';
  const stopped = program.signal('SIGTERM');
  await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(503);
  expect(await stopped).toBe(0);
});

test('a server refuses the secret of other data, and names its variable', async () => {
  await using server = await startNewServer({});
  const { databaseUrl: DATABASE_URL } = server;
  await server.program.signal('SIGTERM');
  const other = startNewServer({
    DATABASE_URL,
    BELLHOP_SECRET: 'another secret, not that of the data',
  });
  await expect(other).rejects.toThrow(/BELLHOP_SECRET is not the secret/);
});

import { randomUUID } from 'node:crypto';
import { parseEnv } from 'node:util';

import { newSecrets } from '@bellhop/cli/secrets';
import { createClient } from '@bellhop/client';
import { Device } from '@bellhop/device';
import { createTestDatabase } from '@bellhop/postgres/testing';
import { bouncerEnvironment, startSimulator } from '@bellhop/push-simulator';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { type Program, runProgram, startProgram } from '../support/program.ts';

const ready = /"msg":"listening"/;
const OWNER = 'olivia@example.com';

/** Starts `bellhop server` and `bellhop bouncer` with an environment each. */
async function startServices() {
  await using ends = new AsyncDisposableStack();
  const simulator = await startSimulator();
  ends.defer(() => simulator.stop());
  const databases = [ends.use(await createTestDatabase()), ends.use(await createTestDatabase())];
  const {
    BELLHOP_BOUNCER_KEYS = '',
    BELLHOP_BOUNCER_SERVERS = '',
    ...serverSecrets
  } = parseEnv(newSecrets());
  const bouncer = ends.use(
    await startProgram(['bouncer'], {
      ready,
      env: {
        BELLHOP_BOUNCER_KEYS,
        BELLHOP_BOUNCER_SERVERS,
        BELLHOP_BOUNCER_DATABASE_URL: databases[0]?.url ?? '',
        BELLHOP_BOUNCER_PORT: '0',
        BELLHOP_BOUNCER_METRICS_PORT: '0',
        ...bouncerEnvironment(simulator),
      },
    }),
  );
  const serverEnv = {
    ...(serverSecrets as Record<string, string>),
    DATABASE_URL: databases[1]?.url ?? '',
    BELLHOP_PORT: '0',
    BELLHOP_METRICS_PORT: '0',
    BELLHOP_EXTERNAL_URL: 'http://localhost',
    BELLHOP_BOUNCER_URL: urlOf(bouncer),
    BELLHOP_RATE_LIMIT_USER: '100000/60',
    BELLHOP_RATE_LIMIT_IP: '100000/60',
  };
  const server = ends.use(
    await startProgram(['server', '--owner', OWNER, '--name', 'Olivia'], { ready, env: serverEnv }),
  );
  const [, password = '', apiKey = ''] =
    /password (\S+), API key (\S+)/.exec(server.output()) ?? [];
  const [publicKey = ''] = BELLHOP_BOUNCER_KEYS.split(':');
  const parts = ends.move();
  return {
    server,
    bouncer,
    serverEnv,
    simulator,
    publicKey,
    password,
    apiKey,
    client: createClient({ url: urlOf(server), email: OWNER, apiKey }),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

const logOf = (program: Program) =>
  program
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
/** The address in a line of the program's log. */
const urlOf = (program: Program, line = 'listening') =>
  String(logOf(program).find(({ msg }) => msg === line)?.['url']);

let services: Awaited<ReturnType<typeof startServices>>;
beforeAll(async () => {
  services = await startServices();
});
afterAll(() => services[Symbol.asyncDispose]());

test('server and bouncer, configured by environment, send a notification to a phone', async () => {
  const { client, simulator, publicKey, server, bouncer, password } = services;
  const { api_key } = await client.accounts.fetchApiKey({ username: OWNER, password });
  expect(api_key).toBe(services.apiKey);
  for (const program of [server, bouncer]) {
    for (const path of ['livez', 'readyz'])
      expect((await fetch(`${urlOf(program)}/${path}`)).status).toBe(200);
    expect((await fetch(`${urlOf(program)}/metrics`)).status).toBe(404);
    expect((await fetch(urlOf(program, 'serving metrics'))).status).toBe(200);
  }

  const { token } = simulator.addDevice({ kind: 'fcm' });
  const phone = new Device({ client, token: { kind: 'fcm', token }, bouncerPublicKey: publicKey });
  const arrived = new Promise((resolve) => {
    simulator.connect(token, (notification) =>
      resolve(phone.receive('data' in notification ? notification.data : {})),
    );
  });
  await phone.register();
  await client.devices.testNotification({});
  expect(await arrived).toMatchObject({ type: 'test', realm_url: 'http://localhost' });

  for (const program of [server, bouncer]) {
    const log = JSON.stringify(logOf(program));
    for (const secret of [token, services.apiKey, password]) expect(log).not.toContain(secret);
    expect(logOf(program).map(({ msg }) => msg)).not.toContain('request failed');
  }
  expect(await bouncer.signal('SIGTERM')).toBe(0);
});

test('the server stops under load without waiting for its polls, and the next start has every acknowledged message', async () => {
  const { client, server, serverEnv } = services;
  const { user_id } = await client.users.me({});
  const { queue_id, last_event_id } = await client.queues.register({ event_types: [] });
  if (queue_id === null) throw new Error('no queue');
  const poll = client.queues.events({ queue_id, last_event_id }).catch((error: unknown) => error);
  const answered: number[] = [];
  const refused: unknown[] = [];
  const underLoad = Promise.withResolvers<void>();
  const senders = Array.from({ length: 20 }, async () => {
    while (refused.length === 0) {
      try {
        const content = randomUUID();
        const { id } = await client.messages.send({ type: 'direct', to: [user_id], content });
        if (answered.push(id) === 100) underLoad.resolve();
      } catch (error) {
        refused.push(error);
      }
    }
  });
  await underLoad.promise;
  const asked = performance.now();
  expect(await server.signal('SIGTERM')).toBe(0);
  // The poll alone would last for about 45 seconds.
  expect(performance.now() - asked).toBeLessThan(30_000);
  await Promise.all([...senders, poll]);
  expect(logOf(server).at(-1)).toMatchObject({ msg: 'stopped' });
  expect(logOf(server).filter(({ level }) => Number(level) >= 50)).toEqual([]);

  await using again = await startProgram(['server', '--owner', OWNER], { ready, env: serverEnv });
  expect(again.output()).not.toContain('API key');
  const restarted = createClient({ url: urlOf(again), email: OWNER, apiKey: services.apiKey });
  const last = Math.max(...answered);
  const { messages } = await restarted.messages.fetch({
    anchor: String(last),
    num_before: 0,
    num_after: 0,
  });
  expect(messages).toMatchObject([{ id: last }]);
});

test('the server without a realm says how to create one, and a taken port is a one-line error', async () => {
  await using database = await createTestDatabase();
  const { BELLHOP_SECRET = '' } = parseEnv(newSecrets());
  const env = {
    BELLHOP_SECRET,
    DATABASE_URL: database.url,
    BELLHOP_EXTERNAL_URL: 'http://localhost',
    BELLHOP_PORT: '0',
  };
  await using server = await startProgram(['server'], { ready, env });
  expect(logOf(server)).toContainEqual(
    expect.objectContaining({ level: 40, msg: expect.stringContaining('--owner') }),
  );
  const { port } = new URL(urlOf(server));
  const second = await runProgram(['server'], { ...env, BELLHOP_PORT: port });
  expect(second.code).toBe(1);
  expect(second.output).toMatch(new RegExp(`^Port ${port} .* taken: .*BELLHOP_PORT\\.$`, 'm'));
  expect(second.output).not.toMatch(/^ {4}at /m);
});

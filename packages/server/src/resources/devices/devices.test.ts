import { ApiError } from '@bellhop/protocol';
import { payloadCipher } from '@bellhop/push-crypto';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';

import { pushStatus } from '../../model/realms/queries.ts';
import { createUser } from '../../model/users/create-user.ts';
import { type Person, startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { listen } from '../queues/listen.fixture.ts';
import { announceSoon } from './announce-realms.ts';
import { pushDevicesOf } from './push-devices-of.ts';
import {
  failure,
  type ScriptedResponse,
  startScriptedBouncer,
  success,
} from './scripted-bouncer.fixture.ts';

const registration = (push_account_id = 7n) => ({
  token_kind: 'fcm' as const,
  push_account_id,
  push_public_key: payloadCipher.createKey().push_key,
  bouncer_public_key: 'the key of the bouncer',
  encrypted_push_registration: payloadCipher.createKey().push_key,
});

const errorOf = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ApiError)) throw new Error('No ApiError', { cause: error });
  return error;
};

const stateOf = ({ server }: TestChat, { user }: Person) =>
  pushDevicesOf(server.app.db.kysely, user, { push_device_error_message: true });

/** Waits for the given number of attempts at a job; returns the job. It `waits` from the end of the last one. */
const jobAfterAttempts = ({ server }: TestChat, name: string, attempts = 1) =>
  vi.waitFor(async () => {
    const { rows } = await sql<{ state: string; failures: number; reason: string; waits: number }>`
      select state, failures, extract(epoch from due_at - last.ended_at)::float8 as waits,
        last.error as reason
      from job cross join lateral (
        select ended_at, error from job_attempt where job_id = id order by number desc limit 1) as last
      where name = ${name} and attempt >= ${attempts} and state <> 'running'`.execute(
      server.app.db.kysely,
    );
    expect(rows).toHaveLength(1);
    return rows[0];
  }, 15_000);

test('without a bouncer, both operations fail with PUSH_SERVICE_NOT_CONFIGURED', async () => {
  await using chat = await startTestChat();
  const { devices } = chat.people.hamlet.client;
  const { code, status } = await errorOf(devices.registerPush(registration()));
  expect([code, status]).toEqual(['PUSH_SERVICE_NOT_CONFIGURED', 400]);
  expect((await errorOf(devices.testNotification())).code).toBe('PUSH_SERVICE_NOT_CONFIGURED');
  expect(await stateOf(chat, chat.people.hamlet)).toEqual({});
});

test('both operations reject a bot', async () => {
  await using chat = await startTestChat();
  const { app } = chat.server;
  const { user, api_key } = await app.change(chat.realm, ({ db }) =>
    createUser(
      db,
      { realm: chat.realm, secrets: app.secrets },
      {
        email: 'bot@chat.test',
        full_name: 'Bot',
        bot: { type: 1, owner_id: chat.people.hamlet.user.id },
      },
    ),
  );
  const bot = { ...chat.people.hamlet, user, api_key, email: user.delivery_email };
  for (const route of ['register', 'e2ee/test_notification'])
    expect(await chat.ask(bot, `POST /mobile_push/${route}`)).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST', msg: 'This endpoint does not accept bot requests.' },
    });
});

test('POST /mobile_push/register rejects a public key that cannot be used for encryption', async () => {
  await using stack = await startScriptedBouncer();
  const { devices } = stack.chat.people.hamlet.client;
  const unusableKeys = {
    'of 31 bytes': Buffer.alloc(31, 1).toString('base64'),
    'of 33 bytes': Buffer.alloc(33, 1).toString('base64'),
    'not canonical': `${'A'.repeat(42)}B=`,
    'of low order': Buffer.alloc(32).toString('base64'),
    'not base64': 'push-public-key',
  };
  for (const [key, push_public_key] of Object.entries(unusableKeys)) {
    const { code, message } = await errorOf(
      devices.registerPush({ ...registration(), push_public_key }),
    );
    expect([key, code, message]).toEqual([
      key,
      'BAD_REQUEST',
      expect.stringContaining('push_public_key'),
    ]);
  }
  expect(await stateOf(stack.chat, stack.chat.people.hamlet)).toEqual({});
});

test('POST /mobile_push/register rejects a push_account_id of more than 64 bits', async () => {
  await using stack = await startScriptedBouncer();
  const { chat } = stack;
  const fields = { ...registration(), push_account_id: String(2n ** 63n) };
  const { status, body } = await chat.ask(chat.people.hamlet, 'POST /mobile_push/register', fields);
  expect([status, body['code'], body['var_name']]).toEqual([400, 'BAD_REQUEST', 'push_account_id']);
});

test('a registration reaches the bouncer unchanged, and each account has its own status', async () => {
  await using stack = await startScriptedBouncer({
    '/push/e2ee/register': failure(400, 'REQUEST_EXPIRED'),
  });
  const { chat, script, orgKey } = stack;
  const { hamlet, cordelia } = chat.people;
  const sealed = registration(-(2n ** 63n));
  await hamlet.client.devices.registerPush(sealed);
  const expired = {
    status: 'failed',
    error_code: 'REQUEST_EXPIRED',
    error_message: 'error REQUEST_EXPIRED',
  };
  await expect.poll(() => stateOf(chat, hamlet)).toEqual({ '-9223372036854775808': expired });
  script['/push/e2ee/register'] = success({ device_id: 12 });
  await hamlet.client.devices.registerPush(registration(2n ** 63n - 1n));
  await expect
    .poll(() => stateOf(chat, hamlet))
    .toEqual({
      '-9223372036854775808': expired,
      '9223372036854775807': { status: 'active', error_code: null },
    });
  script['/push/e2ee/register'] = failure(503, 'INTERNAL_ERROR');
  await hamlet.client.devices.registerPush(registration(0n));
  expect((await stateOf(chat, hamlet))['0']).toEqual({ status: 'pending', error_code: null });
  expect(await stateOf(chat, cordelia)).toEqual({});
  const [first] = stack.requestsTo('/push/e2ee/register');
  expect(first).toEqual({
    path: '/push/e2ee/register',
    authorization: `Basic ${btoa(`6f1b34d2-04b7-4a0c-a9ab-5b4ed0b1dd8b:${orgKey}`)}`,
    fields: {
      realm_uuid: chat.realm.uuid,
      push_account_id: '-9223372036854775808',
      bouncer_public_key: 'the key of the bouncer',
      encrypted_push_registration: sealed.encrypted_push_registration,
      token_kind: 'fcm',
    },
  });
});

test('a registration fails if the bouncer rejects its content, and stays pending on any other error', async () => {
  const cases: [ScriptedResponse, string][] = [
    [failure(400, 'INVALID_BOUNCER_PUBLIC_KEY'), 'INVALID_BOUNCER_PUBLIC_KEY'],
    [failure(400, 'SOMETHING_NEW'), 'BAD_REQUEST'],
    [failure(413, 'PAYLOAD_TOO_LARGE'), 'BAD_REQUEST'],
    [failure(400, 'PUSH_NOTIFICATIONS_DISALLOWED'), 'pending'],
    [failure(403, 'REMOTE_REALM_SERVER_MISMATCH_ERROR'), 'pending'],
    [failure(404, 'NOT_FOUND'), 'pending'],
    [{ status: 404, body: '<html>not found</html>' }, 'pending'],
    [{ status: 200, body: '<html>log in to the Wi-Fi</html>' }, 'pending'],
    [success({ device_id: 'twelve' }), 'pending'],
    [{ status: 502, body: '<html>bad gateway</html>' }, 'pending'],
  ];
  await using stack = await startScriptedBouncer();
  const { chat, script } = stack;
  const { hamlet } = chat.people;
  for (const [at, [response, expected]] of cases.entries()) {
    script['/push/e2ee/register'] = response;
    const before = stack.requestsTo('/push/e2ee/register').length;
    await sql`delete from job where name = 'register_with_bouncer'`.execute(
      chat.server.app.db.kysely,
    );
    await hamlet.client.devices.registerPush(registration(BigInt(at)));
    const job = await jobAfterAttempts(chat, 'register_with_bouncer');
    const state = (await stateOf(chat, hamlet))[at];
    expect([at, state?.error_code ?? state?.status]).toEqual([at, expected]);
    expect([at, job?.state]).toEqual([at, expected === 'pending' ? 'queued' : 'done']);
    expect(stack.requestsTo('/push/e2ee/register').length).toBeGreaterThan(before);
  }
});

test.each([429, 503])(
  'a registration that comes too early, answered %i, is retried after the retry-after of the bouncer',
  async (status) => {
    await using stack = await startScriptedBouncer({
      '/push/e2ee/register': failure(status, 'RATE_LIMIT_HIT', { 'retry-after': 120 }),
    });
    await stack.chat.people.hamlet.client.devices.registerPush(registration());
    const job = await jobAfterAttempts(stack.chat, 'register_with_bouncer');
    expect(job).toMatchObject({ state: 'queued', failures: 1, waits: 120 });
  },
);

test('a reason of the bouncer that cannot be stored is cut and cleaned for the phone', async () => {
  await using stack = await startScriptedBouncer({
    '/push/e2ee/register': failure(400, 'BAD_REQUEST', {
      msg: `no\0 \ud800 app\n${'x'.repeat(900)}`,
    }),
  });
  const { hamlet } = stack.chat.people;
  await hamlet.client.devices.registerPush(registration());
  const failed = { status: 'failed', error_code: 'BAD_REQUEST' };
  const error_message = expect.stringMatching(/^no \ufffd app x{400,500}$/);
  await expect
    .poll(() => stateOf(stack.chat, hamlet))
    .toEqual({ '7': { ...failed, error_message } });
});

test('a registration that cannot reach the bouncer for a day fails with REQUEST_EXPIRED', async () => {
  await using stack = await startScriptedBouncer({
    '/push/e2ee/register': failure(500, 'INTERNAL_ERROR'),
  });
  const { chat } = stack;
  const { hamlet } = chat.people;
  const { client } = hamlet;
  const { queue_id, last_event_id } = await client.queues.register({
    event_types: ['push_device'],
  });
  if (queue_id === null) throw new Error('no queue');
  const asking = await listen(hamlet, {
    event_types: ['push_device'],
    client_capabilities: { push_device_error_message: true },
  });
  const poll = client.queues.events({ queue_id, last_event_id });
  await client.devices.registerPush(registration());
  await jobAfterAttempts(chat, 'register_with_bouncer');
  await sql`update job set failures = 102, due_at = now()
    where name = 'register_with_bouncer'`.execute(chat.server.app.db.kysely);
  const failed = {
    type: 'push_device',
    push_account_id: '7',
    status: 'failed',
    error_code: 'REQUEST_EXPIRED',
  };
  // The keys of the specification: a strict decoder refuses others.
  expect((await poll).events).toEqual([{ id: expect.any(Number) as number, ...failed }]);
  const error_message = expect.stringContaining('for a day: register again') as string;
  expect(await asking.all()).toEqual([
    { id: expect.any(Number) as number, ...failed, error_message },
  ]);
  const { push_devices } = await client.queues.register({ fetch_event_types: ['push_device'] });
  expect(push_devices).toEqual({ '7': { status: 'failed', error_code: 'REQUEST_EXPIRED' } });
  expect(await jobAfterAttempts(chat, 'register_with_bouncer', 2)).toMatchObject({ state: 'dead' });
  expect(await stateOf(chat, hamlet)).toEqual({
    '7': {
      status: 'failed',
      error_code: 'REQUEST_EXPIRED',
      error_message: expect.stringContaining('for a day: register again'),
    },
  });
});

test('a test notification fails with the code for the error of the bouncer, and stores its realm status', async () => {
  await using stack = await startScriptedBouncer({
    '/push/e2ee/register': success({ device_id: 1 }),
  });
  const { chat, script } = stack;
  const { hamlet } = chat.people;
  await hamlet.client.devices.registerPush(registration());
  await expect.poll(async () => (await stateOf(chat, hamlet))['7']?.status).toBe('active');
  const cases: [ScriptedResponse, string, number][] = [
    [failure(500, 'INTERNAL_ERROR'), 'INTERNAL_SERVER_ERROR_ON_BOUNCER', 502],
    [{ status: 502, body: 'bad gateway' }, 'INTERNAL_SERVER_ERROR_ON_BOUNCER', 502],
    [failure(401, 'UNAUTHORIZED'), 'ADMIN_ACTION_REQUIRED', 403],
    [failure(403, 'REMOTE_REALM_SERVER_MISMATCH_ERROR'), 'ADMIN_ACTION_REQUIRED', 403],
    [failure(400, 'BAD_REQUEST'), 'ADMIN_ACTION_REQUIRED', 403],
    [{ status: 200, body: 'no JSON' }, 'ADMIN_ACTION_REQUIRED', 403],
  ];
  for (const [response, code, status] of cases) {
    script['/push/e2ee/notify'] = response;
    const error = await errorOf(hamlet.client.devices.testNotification());
    expect([error.code, error.status]).toEqual([code, status]);
  }
  const lines = chat
    .logged()
    .split('\n')
    .filter((line) => line.includes('test notification'));
  expect(lines).toHaveLength(cases.length);
  expect(chat.logged()).not.toContain(stack.orgKey);

  const until = 2_000_000_000;
  script['/push/e2ee/notify'] = success({
    apple_successfully_sent_count: 0,
    android_successfully_sent_count: 0,
    delete_device_ids: [99],
    realm_push_status: { can_push: true, expected_end_timestamp: until },
  });
  const { queue_id, last_event_id } = await hamlet.client.queues.register({
    event_types: ['realm'],
  });
  await hamlet.client.devices.testNotification();
  expect(Object.keys(await stateOf(chat, hamlet))).toEqual(['7']);
  expect(await pushStatus(chat.server.app.db.kysely, chat.realm.id)).toEqual({
    can_push: true,
    end: until,
  });
  const poll = { queue_id: String(queue_id), last_event_id, dont_block: true };
  const update = { type: 'realm', op: 'update' };
  expect((await hamlet.client.queues.events(poll)).events).toMatchObject([
    { ...update, property: 'push_notifications_enabled', value: true },
    { ...update, property: 'push_notifications_enabled_end_timestamp', value: until },
  ]);
});

test('an unregistered server registers itself, then announces its realms with their owner secrets', async () => {
  await using stack = await startScriptedBouncer({
    '/server/analytics': failure(401, 'UNAUTHORIZED'),
    '/server/register': success({ created: true }),
  });
  const { chat, script, orgKey } = stack;
  await jobAfterAttempts(chat, 'announce_realms');
  script['/server/analytics'] = success({
    realms: { [chat.realm.uuid]: { can_push: true, expected_end_timestamp: null } },
  });
  await expect
    .poll(() => pushStatus(chat.server.app.db.kysely, chat.realm.id))
    .toMatchObject({ can_push: true });
  expect(stack.requestsTo('/server/register')[0]?.fields).toEqual({
    zulip_org_id: '6f1b34d2-04b7-4a0c-a9ab-5b4ed0b1dd8b',
    zulip_org_key: orgKey,
    hostname: 'chat.test',
    contact_email: 'admin@chat.test',
  });
  const announced = stack.requestsTo('/server/analytics').at(-1);
  expect(JSON.parse(String(announced?.fields['realms']))).toMatchObject([
    {
      id: chat.realm.id,
      host: 'chat.test',
      url: 'http://chat.test',
      name: 'Test',
      uuid: chat.realm.uuid,
      uuid_owner_secret: expect.stringMatching(/^\w{64}$/) as string,
      deactivated: false,
    },
  ]);
  expect(chat.logged()).not.toContain(orgKey);
});

test('a start announces the realms at once although an earlier failure has yet to wait', async () => {
  await using stack = await startScriptedBouncer({ '/server/analytics': failure(500, 'ERROR') });
  const { chat, script } = stack;
  const { app } = chat.server;
  await jobAfterAttempts(chat, 'announce_realms');
  await sql`update job set due_at = now() + interval '1 hour'
    where name = 'announce_realms' and state = 'queued'`.execute(app.db.kysely);
  script['/server/analytics'] = success({
    realms: { [chat.realm.uuid]: { can_push: true, expected_end_timestamp: null } },
  });
  await announceSoon(app);
  await expect
    .poll(() => pushStatus(app.db.kysely, chat.realm.id))
    .toMatchObject({ can_push: true });
});

test('a server registers with the configured contact address, or with admin@ its host', async () => {
  const cases: [Record<string, string>, string][] = [
    [{}, 'admin@chat.test'],
    [{ BELLHOP_EXTERNAL_URL: 'http://localhost:4600' }, 'admin@localhost.localdomain'],
    [{ BELLHOP_ADMIN_EMAIL: 'ops@example.com' }, 'ops@example.com'],
  ];
  const unknown = { '/server/analytics': failure(401, 'UNAUTHORIZED') };
  for (const [env, contact] of cases) {
    await using stack = await startScriptedBouncer(unknown, env);
    await jobAfterAttempts(stack.chat, 'announce_realms');
    const { host } = new URL(stack.chat.realm.url);
    const fields = { contact_email: contact, hostname: host };
    expect(stack.requestsTo('/server/register')[0]?.fields).toMatchObject(fields);
  }
});

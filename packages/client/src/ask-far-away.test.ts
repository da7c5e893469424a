import { ApiError, UserId } from '@bellhop/protocol';
import nock from 'nock';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';

import { ConnectionFailed, createClient } from './client.ts';
import { createPlainClient } from './plain.ts';

const url = 'https://chat.example.com';
const client = createClient({ url, email: 'ada@example.com', apiKey: 'k'.repeat(32) });
const far = () => nock(url);

beforeEach(() => nock.disableNetConnect());
afterEach(() => {
  nock.cleanAll();
  nock.enableNetConnect();
});
// Importing nock replaces the sockets of the process, also for the test files that follow.
afterAll(() => nock.restore());

test('a request has the documented address, credentials and parameters', async () => {
  const asked = far()
    .get('/api/v1/get_stream_id')
    .query({ stream: 'a&b' })
    .basicAuth({ user: 'ada@example.com', pass: 'k'.repeat(32) })
    .reply(200, { result: 'success', msg: '', stream_id: 7, more: 'than we know' });
  expect(await client.channels.id({ stream: 'a&b' })).toEqual({ stream_id: 7 });
  expect(asked.isDone()).toBe(true);
});

test("a proxy's error page throws ConnectionFailed with its status", async () => {
  far().post('/api/v1/register').reply(502, '<html>Bad Gateway</html>');
  const failure: unknown = await client.queues.register().catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ConnectionFailed);
  expect(failure).toMatchObject({ status: 502 });
});

test.each(Object.entries({ createClient, createPlainClient }))(
  '%s: values of a public server are read under the names of the specification',
  async (_name, create) => {
    const emoji = { emoji_name: 'zulip', emoji_code: 'zulip' };
    const status = { ...emoji, reaction_type: 'zulip_extra_emoji' };
    far().get('/api/v1/users/7/status').reply(200, { result: 'success', msg: '', status });
    expect(await create({ url }).userStatus.get({ user_id: UserId.parse(7) })).toMatchObject({
      status: { ...emoji, reaction_type: 'svc_extra_emoji' },
    });
  },
);

const publicVersion = {
  zulip_feature_level: 498,
  zulip_version: '12.0',
  zulip_merge_base: '12.0',
};
/** What public servers answer about themselves: no name of the specification, and keys that it does not have. */
const publicSettings = {
  authentication_methods: { password: true, dev: false },
  external_authentication_methods: [],
  ...publicVersion,
  push_notifications_enabled: false,
  is_incompatible: false,
  email_auth_enabled: true,
  require_email_format_usernames: true,
  realm_url: 'https://chat.example.com',
  realm_uri: 'https://chat.example.com',
  realm_name: 'Example',
  realm_icon: '/static/icon.png',
  realm_description: '<p>Example</p>',
  realm_web_public_access_enabled: false,
};

test.each(Object.entries({ createClient, createPlainClient }))(
  '%s registers with a public server, whose answers have no svc_ keys',
  async (_name, create) => {
    const registered = { queue_id: 'fb67bf8a:1', last_event_id: -1, ...publicVersion };
    far()
      .post('/api/v1/register')
      .reply(200, {
        result: 'success',
        msg: '',
        ...registered,
        event_queue_longpoll_timeout_seconds: 90,
      });
    far()
      .get('/api/v1/server_settings')
      .reply(200, { result: 'success', msg: '', ...publicSettings });
    const { queues, serverSettings } = create({ url });
    expect(await queues.register()).toMatchObject(registered);
    expect(await serverSettings.get()).toMatchObject(publicSettings);
  },
);

test('an answer is read in the charset that it declares', async () => {
  const body = Buffer.from(JSON.stringify({ result: 'success', msg: '', stream_id: 7, x: 'é' }));
  far()
    .get('/api/v1/get_stream_id')
    .query({ stream: 'a' })
    .reply(200, body.toString('utf8'), { 'content-type': 'application/json; charset=utf-16le' });
  await expect(client.channels.id({ stream: 'a' })).rejects.toThrow(ConnectionFailed);
  const text = '{"result":"error","msg":"Café zu","code":"BAD_REQUEST"}';
  for (const [charset, encoding] of [
    ['iso-8859-1', 'latin1'],
    ['utf-16le', 'utf16le'],
  ] as const) {
    far()
      .get('/api/v1/users/me')
      .reply(400, Buffer.from(text, encoding), {
        'content-type': `application/json; charset=${charset}`,
      });
    await expect(client.users.me()).rejects.toThrow('Café zu');
  }
});

test('an answer that is not what it declares throws ConnectionFailed, which says so', async () => {
  const text = '{"result":"success","msg":"é"}';
  far().get('/api/v1/users/me').reply(200, Buffer.from(text, 'latin1'));
  await expect(client.users.me()).rejects.toThrow(/answered 200.* is not valid UTF-8/);
  far()
    .get('/api/v1/users/me')
    .reply(200, text, { 'content-type': 'application/json; charset=klingon' });
  await expect(client.users.me()).rejects.toThrow(/answered 200.* charset klingon/);
});

test.each(['ENOTFOUND', 'ECONNRESET', 'CERT_HAS_EXPIRED'])(
  '%s is a failed connection',
  async (code) => {
    far()
      .get('/api/v1/users/me')
      .replyWithError(Object.assign(new Error(code), { code }));
    const failure: unknown = await client.users.me().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ConnectionFailed);
  },
);

test('an error response throws ApiError with its code and extra keys', async () => {
  far()
    .get('/api/v1/users/me')
    .reply(429, { result: 'error', msg: 'Slow down', code: 'RATE_LIMIT_HIT', 'retry-after': 1.5 });
  const failure: unknown = await client.users.me().catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ApiError);
  expect(failure).toMatchObject({
    code: 'RATE_LIMIT_HIT',
    status: 429,
    data: { 'retry-after': 1.5 },
  });
});

import { listen, type Listening } from '@bellhop/http';
import {
  api,
  type AskOf,
  ChannelId,
  type Endpoint,
  events,
  MessageId,
  roles,
} from '@bellhop/protocol';
import { sealing } from '@bellhop/push-crypto';
import { type Person, startTestChat, type TestChat } from '@bellhop/server/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/** A bouncer that says one thing to every notification; realms may be announced. */
let bouncer: Listening;
let says: { status: number; body: object | string };
let chat: TestChat;
let withoutBouncer: TestChat;
let crowd: readonly Person[];

beforeAll(async () => {
  bouncer = await listen((request, response) => {
    const { status, body } = request.url?.endsWith('/notify')
      ? says
      : { status: 200, body: { result: 'success', msg: '', realms: {} } };
    request.resume();
    response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  const env = {
    BELLHOP_BOUNCER_URL: bouncer.url,
    BELLHOP_BOUNCER_ORG_ID: '6f1b34d2-04b7-4a0c-a9ab-5b4ed0b1dd8b',
    BELLHOP_BOUNCER_ORG_KEY: 'k'.repeat(64),
  };
  [chat, withoutBouncer] = await Promise.all([
    startTestChat({ env }),
    startTestChat({ env: { BELLHOP_UPLOAD_QUOTA_MIB: '0' } }),
  ]);
  const { iago, hamlet } = chat.people;
  crowd = await Promise.all(Array.from({ length: 16 }, (_, n) => chat.addPerson(`person${n}`)));
  await iago.client.subscriptions.add({
    subscriptions: [{ name: 'crowd' }, { name: 'verona' }],
    principals: [...crowd, iago, hamlet].map(({ user }) => user.id),
  });
});
afterAll(async () => {
  await chat[Symbol.asyncDispose]();
  await withoutBouncer[Symbol.asyncDispose]();
  await bouncer.stop(0);
});

/** Adds a phone that the bouncer is said to know, and asks for a test notification. */
async function notified(status: number, code: string): Promise<unknown> {
  says = { status, body: { result: 'error', msg: 'x', code } };
  const { user, client } = chat.people.cordelia;
  await chat.server.app.db.kysely
    .insertInto('push_device')
    .values({
      realm_id: chat.realm.id,
      user_id: user.id,
      push_account_id: 7n,
      token_kind: 'fcm',
      push_public_key: sealing.generateKeyPair().publicKey,
      bouncer_device_id: 1,
    })
    .onConflict((already) => already.doNothing())
    .execute();
  return client.devices.testNotification();
}

let made = 0;
const webhookBot = () =>
  chat.people.hamlet.client.bots.create({
    full_name: `Hook ${++made}`,
    short_name: `hook-${made}`,
    bot_type: 3,
    payload_url: 'http://127.0.0.1:9999/',
  });

const uploaded = async () => {
  const file = new File(['hello'], 'hello.txt');
  return (await chat.people.hamlet.client.uploads.create({}, { file })).url;
};

const push = {
  token_kind: 'fcm' as const,
  push_account_id: 7n,
  push_public_key: `${'A'.repeat(43)}=`,
  bouncer_public_key: 'x',
  encrypted_push_registration: 'x',
};
const NOBODYS = '00000000-0000-0000-0000-000000000000';
const to = { type: 'channel' as const, to: 'crowd', topic: 'all' };
const thumb = { emoji_name: 'thumbs_up' };

/** A message of Hamlet's to nobody else. */
async function toSelf() {
  const { client, user } = chat.people.hamlet;
  return (await client.messages.send({ type: 'direct', to: [user.id], content: 'x' })).id;
}

/** Has Hamlet send a message to everybody and change it. */
async function edited(changes: Omit<AskOf<typeof api.messages.edit>, 'message_id'>) {
  const { client } = chat.people.hamlet;
  const { id } = await client.messages.send({ ...to, content: 'hello' });
  return client.messages.edit({ message_id: id, ...changes });
}

async function firstMessageOf({ client }: Person, channel: string) {
  const { streams } = await client.channels.list();
  return MessageId.parse(streams.find(({ name }) => name === channel)?.first_message_id);
}

/** One line for each error and event that the contract declares for an endpoint: how it comes about. */
const provoked: Record<string, () => Promise<unknown>> = {
  'POST /fetch_api_key AUTHENTICATION_FAILED': () =>
    chat.people.hamlet.client.accounts.fetchApiKey({ username: 'a@b.c', password: 'x' }),
  'POST /bots STREAM_DOES_NOT_EXIST': () =>
    chat.people.hamlet.client.bots.create({
      full_name: 'x',
      short_name: 'x',
      default_sending_stream: 'nowhere',
    }),
  'POST /bots realm_user realm_bot user_group': () =>
    chat.people.hamlet.client.bots.create({ full_name: 'Echo', short_name: 'echo' }),
  'PATCH /bots/{bot_id} STREAM_DOES_NOT_EXIST': async () =>
    chat.people.iago.client.bots.update({
      bot_id: (await webhookBot()).user_id,
      default_sending_stream: 'nowhere',
    }),
  'PATCH /bots/{bot_id} realm_user realm_bot user_group': async () =>
    chat.people.iago.client.bots.update({
      bot_id: (await webhookBot()).user_id,
      full_name: 'Renamed',
      role: roles.moderator,
    }),
  'DELETE /bots/{bot_id} realm_user realm_bot user_group subscription': async () => {
    const { iago } = chat.people;
    const { user_id } = await webhookBot();
    await iago.client.subscriptions.add({
      subscriptions: [{ name: 'crowd' }],
      principals: [user_id],
    });
    await iago.client.bots.deactivate({ bot_id: user_id });
  },
  'POST /bots/{bot_id}/api_key/regenerate realm_bot': async () =>
    chat.people.iago.client.bots.regenerateApiKey({ bot_id: (await webhookBot()).user_id }),
  'POST /bots/{bot_id}/services/token/regenerate realm_bot': async () =>
    chat.people.iago.client.bots.regenerateToken({ bot_id: (await webhookBot()).user_id }),
  'POST /mobile_push/register PUSH_SERVICE_NOT_CONFIGURED': () =>
    withoutBouncer.people.hamlet.client.devices.registerPush(push),
  'POST /mobile_push/e2ee/test_notification PUSH_SERVICE_NOT_CONFIGURED': () =>
    withoutBouncer.people.hamlet.client.devices.testNotification(),
  'POST /mobile_push/e2ee/test_notification NO_ACTIVE_PUSH_DEVICE': () =>
    chat.people.hamlet.client.devices.testNotification(),
  'POST /mobile_push/e2ee/test_notification ADMIN_ACTION_REQUIRED': () =>
    notified(403, 'MISSING_REMOTE_REALM'),
  'POST /mobile_push/e2ee/test_notification INTERNAL_SERVER_ERROR_ON_BOUNCER': () =>
    notified(500, 'INTERNAL_ERROR'),
  'POST /mobile_push/e2ee/test_notification FAILED_TO_CONNECT_BOUNCER': async () => {
    await bouncer.stop(0);
    return notified(200, '');
  },
  'POST /messages STREAM_DOES_NOT_EXIST': () =>
    chat.people.hamlet.client.messages.send({ ...to, to: 'nowhere', content: 'x' }),
  'POST /messages STREAM_WILDCARD_MENTION_NOT_ALLOWED': () =>
    chat.people.hamlet.client.messages.send({ ...to, content: '@**all**' }),
  'POST /messages TOPIC_WILDCARD_MENTION_NOT_ALLOWED': async () => {
    for (const { client } of crowd) await client.messages.send({ ...to, content: 'here' });
    return chat.people.hamlet.client.messages.send({ ...to, content: '@**topic**' });
  },
  'POST /messages message': () =>
    chat.people.hamlet.client.messages.send({ ...to, content: 'hello' }),
  'POST /messages attachment': async () => {
    const content = `[hello](${await uploaded()})`;
    return chat.people.hamlet.client.messages.send({ ...to, content });
  },
  'PATCH /messages/{message_id} attachment': async () =>
    edited({ content: `[hello](${await uploaded()})` }),
  'DELETE /messages/{message_id} attachment': async () => {
    const { client } = chat.people.iago;
    const file = new File(['hello'], 'hello.txt');
    const { url } = await client.uploads.create({}, { file });
    const { id } = await client.messages.send({ ...to, content: `[hello](${url})` });
    return client.messages.remove({ message_id: id });
  },
  'POST /user_uploads attachment': () => uploaded(),
  'POST /user_uploads REALM_UPLOAD_QUOTA': () =>
    withoutBouncer.people.hamlet.client.uploads.create({}, { file: new File(['x'], 'x') }),
  'GET /user_uploads/{realm_id}/{token}/{filename} NOT_FOUND': () =>
    chat.people.hamlet.client.uploads.temporaryUrl({ realm_id: '1', token: 'x', filename: 'x' }),
  'DELETE /attachments/{attachment_id} attachment': async () => {
    await uploaded();
    const { attachments } = await chat.people.hamlet.client.attachments.list();
    await chat.people.hamlet.client.attachments.remove({ attachment_id: attachments[0]?.id ?? 0 });
  },
  'PATCH /messages/{message_id} update_message': async () => edited({ content: 'hello there' }),
  'PATCH /messages/{message_id} EXPECTATION_MISMATCH': () =>
    edited({ content: 'x', prev_content_sha256: '0' }),
  'PATCH /messages/{message_id} STREAM_WILDCARD_MENTION_NOT_ALLOWED': () =>
    edited({ content: '@**all**' }),
  'PATCH /messages/{message_id} TOPIC_WILDCARD_MENTION_NOT_ALLOWED': () =>
    edited({ content: '@**topic**' }),
  'PATCH /messages/{message_id} message': () => edited({ topic: 'elsewhere' }),
  'PATCH /messages/{message_id} STREAM_DOES_NOT_EXIST': () =>
    edited({ stream_id: ChannelId.parse(999_999) }),
  'PATCH /messages/{message_id} MOVE_MESSAGES_TIME_LIMIT_EXCEEDED': async () => {
    const { iago } = chat.people;
    const { id } = await iago.client.messages.send({ ...to, topic: 'old', content: 'long ago' });
    await chat.server.app.db.kysely
      .updateTable('message')
      .set({ sent_at: 1 })
      .where('id', '=', id)
      .execute();
    const { client } = chat.people.hamlet;
    const answer = await client.messages.send({ ...to, topic: 'old', content: 'now' });
    const all = { topic: 'new', propagate_mode: 'change_all' } as const;
    return client.messages.edit({ message_id: answer.id, ...all });
  },
  'PATCH /messages/{message_id} delete_message stream': async () => {
    const { client } = chat.people.iago;
    await client.subscriptions.add({ subscriptions: [{ name: 'closed' }], invite_only: true });
    const { stream_id } = await client.channels.id({ stream: 'closed' });
    await client.subscriptions.add({
      subscriptions: [{ name: 'open' }],
      principals: [chat.people.iago.user.id, chat.people.cordelia.user.id],
    });
    const message_id = await firstMessageOf(chat.people.iago, 'open');
    return client.messages.edit({ message_id, stream_id });
  },
  'DELETE /messages/{message_id} delete_message stream': async () => {
    const { client } = chat.people.iago;
    await client.subscriptions.add({ subscriptions: [{ name: 'brief' }] });
    const message_id = await firstMessageOf(chat.people.iago, 'brief');
    return client.messages.remove({ message_id });
  },
  'POST /messages/{message_id}/reactions reaction': async () =>
    chat.people.hamlet.client.reactions.add({ ...thumb, message_id: await toSelf() }),
  'POST /messages/{message_id}/reactions REACTION_ALREADY_EXISTS': async () => {
    const asked = { ...thumb, message_id: await toSelf() };
    await chat.people.hamlet.client.reactions.add(asked);
    return chat.people.hamlet.client.reactions.add(asked);
  },
  'DELETE /messages/{message_id}/reactions reaction': async () => {
    const asked = { ...thumb, message_id: await toSelf() };
    await chat.people.hamlet.client.reactions.add(asked);
    return chat.people.hamlet.client.reactions.remove(asked);
  },
  'DELETE /messages/{message_id}/reactions REACTION_DOES_NOT_EXIST': async () =>
    chat.people.hamlet.client.reactions.remove({ ...thumb, message_id: await toSelf() }),
  'POST /submessage submessage': async () =>
    chat.people.hamlet.client.submessages.add({
      message_id: await toSelf(),
      msg_type: 'widget',
      content: '{}',
    }),
  'GET /messages BAD_NARROW': () =>
    chat.people.hamlet.client.messages.fetch({
      anchor: 'newest',
      narrow: [{ operator: 'no-such', operand: 'x' }],
    }),
  'GET /events BAD_EVENT_QUEUE_ID': () =>
    chat.people.hamlet.client.queues.events({ queue_id: NOBODYS, last_event_id: 0 }),
  'DELETE /events BAD_EVENT_QUEUE_ID': () =>
    chat.people.hamlet.client.queues.remove({ queue_id: NOBODYS }),
  'POST /users/me/subscriptions stream subscription message': () =>
    chat.people.hamlet.client.subscriptions.add({
      subscriptions: [{ name: 'new' }],
      announce: true,
      principals: [chat.people.hamlet.user.id, chat.people.cordelia.user.id],
    }),
  'POST /typing typing': () =>
    chat.people.hamlet.client.typing.send({ op: 'start', to: [chat.people.iago.user.id] }),
};

const isCode = (what: string) => what === what.toUpperCase();
const seen = () =>
  [chat, withoutBouncer].flatMap(({ seen: { emitted, failed } }) => [...emitted, ...failed]);

describe('what an endpoint declares', () => {
  test.each(Object.entries(provoked))('%s', async (name, act) => {
    const [method, path, ...things] = name.split(' ');
    const codes = things.filter(isCode);
    if (codes.length > 0) await expect(act()).rejects.toMatchObject({ code: codes[0] });
    else await act();
    for (const thing of things) expect(seen()).toContain(`${method} ${path} ${thing}`);
  });

  test('has come about, all of it', () => {
    const endpoints: Endpoint[] = Object.values(api).flatMap((resource) => Object.values(resource));
    const declared = endpoints.flatMap(({ route, errors, emits }) =>
      [...errors, ...emits].map((what) => `${route} ${what}`),
    );
    expect(declared.length).toBeGreaterThan(20);
    const never = declared.filter((what) => !seen().includes(what));
    expect(never, 'add a line to `provoked` above').toEqual([]);
  });

  test('is all that came about', () => {
    const emits = Object.values(api).flatMap((resource) =>
      Object.values(resource).flatMap(({ route, emits: types }: Endpoint) =>
        types.map((type) => `${route} ${type}`),
      ),
    );
    expect(emits).toEqual(expect.arrayContaining([...chat.seen.emitted]));
  });
});

test('every type of event is declared by an endpoint that sends it', () => {
  const emitted = Object.values(api).flatMap((resource) =>
    Object.values(resource).flatMap((endpoint: Endpoint) => endpoint.emits),
  );
  // A waiting poll sends heartbeats, and answers of the bouncer cause the other two.
  const others = ['heartbeat', 'push_device', 'realm'];
  const unsent = Object.keys(events).filter((type) => !emitted.includes(type));
  expect(unsent.toSorted()).toEqual(others);
  expect(emitted.filter((type) => !Object.hasOwn(events, type))).toEqual([]);
});

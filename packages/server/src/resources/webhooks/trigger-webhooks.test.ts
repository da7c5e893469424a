import { afterAll, beforeAll, expect, test } from 'vitest';

import { startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { addChannel, addWebhookBot, deliveries, startReceiver } from './webhooks.fixture.ts';

let chat: TestChat;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let ids: Record<'mara' | 'nils' | 'otto', number>;
beforeAll(async () => {
  chat = await startTestChat();
  receiver = await startReceiver();
  const add = async (name: string) => {
    const { user_id, user } = await addWebhookBot(chat, receiver.url, {
      full_name: name,
      short_name: name,
    });
    return { user_id, user };
  };
  const [mara, nils, otto] = [await add('Mara'), await add('Nils'), await add('Otto')];
  ids = { mara: mara.user_id, nils: nils.user_id, otto: otto.user_id };
  await addChannel(chat, 'open', [chat.people.hamlet, mara]);
  await addChannel(chat, 'closed', [chat.people.hamlet], { invite_only: true });
  const { db } = chat.server.app;
  const { id: group_id } = await db.kysely
    .insertInto('user_group')
    .values({ realm_id: chat.realm.id, name: 'helpers' })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db.kysely
    .updateTable('user_group')
    .set({ can_mention_group: chat.realm.group_settings.can_create_bots_group })
    .where('id', '=', group_id)
    .execute();
  for (const { user } of [mara, nils])
    await db.kysely
      .insertInto('user_group_member')
      .values({ realm_id: chat.realm.id, group_id, user_id: user.id })
      .execute();
});
afterAll(async () => {
  await chat[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

/** The bots and triggers of the deliveries that a message has added. */
async function triggered(send: () => Promise<{ id: number }>) {
  const { id } = await send();
  const { rows } = await chat.server.app.db.kysely
    .selectFrom('bot_service')
    .select(['id', 'user_id'])
    .execute()
    .then((found) => ({ rows: new Map(found.map((row) => [row.id, row.user_id])) }));
  return (await deliveries(chat))
    .filter(({ payload }) => payload['message_id'] === id)
    .map(({ payload }) => [rows.get(Number(payload['service_id'])), payload['trigger']])
    .toSorted((a, b) => Number(a[0]) - Number(b[0]));
}
const say = (to: string, content: string) =>
  triggered(() =>
    chat.people.hamlet.client.messages.send({ type: 'channel', to, topic: 't', content }),
  );

test.each([
  ['a mention of a subscriber', 'open', '@**Mara** hi', ['mara']],
  ['a mention by name and id', 'open', () => `@**Mara|${ids.mara}** hi`, ['mara']],
  ['a mention of an unsubscribed bot', 'open', '@**Nils** hi', ['nils']],
  ['a mention of an unsubscribed bot in a private channel', 'closed', '@**Nils** hi', ['nils']],
  [
    'two mentions of one bot and one of another',
    'open',
    '@**Mara** @**Mara** @**Otto**',
    ['mara', 'otto'],
  ],
  ['a group of a subscribed and an unsubscribed bot', 'open', '@*helpers* hi', ['mara']],
  ['a group without subscribed bots', 'closed', '@*helpers* hi', []],
  ['a mention of a member beside its group', 'open', '@*helpers* @**Nils**', ['mara', 'nils']],
  ['no mention', 'open', 'Mara, hi', []],
  ['a silent mention', 'open', '@_**Mara** hi', []],
  ['a silent mention of a group', 'open', '@_*helpers* hi', []],
  ['a mention in code', 'open', '`@**Mara**` hi', []],
  ['a mention in a code block', 'open', '```\n@**Mara**\n```', []],
  ['a quoted mention', 'open', '> @**Mara** hi', []],
  ['channel wildcards', 'open', '@**all** @**everyone** @**channel** @**stream**', []],
  ['a topic wildcard', 'open', '@**topic** hi', []],
  ['an unknown name', 'open', '@**Nobody** hi', []],
] as const)(
  'a channel message with %s triggers the expected webhooks',
  async (_case, to, content, expected) => {
    const text = typeof content === 'function' ? content() : content;
    expect(await say(to, text)).toEqual(expected.map((name) => [ids[name], 'mention']));
  },
);

test('a direct message triggers the bots among its participants and no others', async () => {
  const { hamlet, cordelia } = chat.people;
  const send = (to: number[], content: string) =>
    triggered(() => hamlet.client.messages.send({ type: 'direct', to, content }));
  expect(await send([ids.mara], 'hi')).toEqual([[ids.mara, 'direct_message']]);
  expect(await send([cordelia.user.id, ids.nils, ids.mara], '@_**Nils** and @**Otto**')).toEqual([
    [ids.mara, 'direct_message'],
    [ids.nils, 'direct_message'],
  ]);
  expect(await send([cordelia.user.id], '@**Mara** hi')).toEqual([]);
});

test('concurrent messages each trigger only the webhooks they mention', async () => {
  const { hamlet } = chat.people;
  const send = async (content: string) =>
    hamlet.client.messages.send({ type: 'channel', to: 'open', topic: 't', content });
  const sent = await Promise.all([send('@**Mara**'), send('hi'), send('@**Mara** @**Otto**')]);
  const triggeredBy = await Promise.all(sent.map((message) => triggered(async () => message)));
  expect(triggeredBy).toEqual([
    [[ids.mara, 'mention']],
    [],
    [
      [ids.mara, 'mention'],
      [ids.otto, 'mention'],
    ],
  ]);
});

test('a message from a bot triggers no webhook', async () => {
  const { body } = await chat.ask(chat.people.hamlet, 'POST /bots', {
    full_name: 'Talker',
    short_name: 'talker',
  });
  const talker = {
    ...chat.people.hamlet,
    email: 'talker-bot@chat.test',
    api_key: String(body['api_key']),
  };
  const sent = (fields: Record<string, string>) =>
    triggered(async () => {
      const answer = await chat.ask(talker, 'POST /messages', { content: '@**Mara**', ...fields });
      return { id: Number(answer.body['id']) };
    });
  expect(await sent({ type: 'direct', to: JSON.stringify([ids.mara]) })).toEqual([]);
  expect(await sent({ type: 'channel', to: 'open', topic: 't' })).toEqual([]);
});

test('a rejected message triggers no webhook', async () => {
  const before = (await deliveries(chat)).length;
  await expect(
    chat.people.cordelia.client.messages.send({
      type: 'channel',
      to: 'closed',
      topic: 't',
      content: '@**Mara**',
    }),
  ).rejects.toMatchObject({ code: 'STREAM_DOES_NOT_EXIST' });
  expect(await deliveries(chat)).toHaveLength(before);
});

test('deactivated bots and bots of other types are not triggered', async () => {
  const { kysely } = chat.server.app.db;
  const gone = await addWebhookBot(chat, receiver.url, { full_name: 'Gone', short_name: 'gone' });
  await kysely
    .updateTable('realm_user')
    .set({ is_active: false })
    .where('id', '=', gone.user_id)
    .execute();
  const plain = await addWebhookBot(chat, receiver.url, {
    full_name: 'Plain',
    short_name: 'plain',
  });
  await kysely
    .updateTable('realm_user')
    .set({ bot_type: 1 })
    .where('id', '=', plain.user_id)
    .execute();
  expect(await say('open', '@**Gone** @**Plain**')).toEqual([]);
});

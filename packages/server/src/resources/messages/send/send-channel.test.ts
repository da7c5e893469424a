import { createClient } from '@bellhop/client';
import { type ErrorCode, type MessageId, roles, userGroupSettings } from '@bellhop/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { EVERYONE_LISTENING, everyoneInChannel } from '../../../engine/audience.ts';
import { expectRefused } from '../../../expect-refused.fixture.ts';
import { systemGroupIds } from '../../../model/user-groups/queries.ts';
import { createUser } from '../../../model/users/create-user.ts';
import { type Person, startTestChat, type TestChat } from '../../../test-chat.fixture.ts';
import { addChannel, firstMessageOf, subscribe } from '../../channels/channels.fixture.ts';
import { listen } from '../../queues/listen.fixture.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startTestChat({ keepUsersMs: 60_000 });
  const { hamlet, cordelia, iago, polonius } = chat.people;
  await addChannel(chat, { name: 'Denmark', subscribers: [hamlet, cordelia, iago, polonius] });
});
afterAll(() => chat[Symbol.asyncDispose]());

const post = (from: Person, fields: Record<string, string>) =>
  chat.ask(from, 'POST /messages', {
    type: 'channel',
    to: 'Denmark',
    topic: 'tests',
    content: 'hello',
    ...fields,
  });

async function sent(from: Person, fields: Record<string, string>) {
  const { body } = await post(from, fields);
  expect(body).toMatchObject({ result: 'success', id: expect.any(Number) });
  const ask = { message_id: body['id'] as MessageId, allow_empty_topic_name: true };
  return (await from.client.messages.fetchOne(ask)).message;
}

const refused = (from: Person, fields: Record<string, string>, code: ErrorCode = 'BAD_REQUEST') =>
  expectRefused(post(from, fields), code);

describe('`to` of a channel message', () => {
  test('accepts a name in any letter case, an id, or a list with one of them', async () => {
    const { hamlet } = chat.people;
    const { stream_id } = await sent(hamlet, {});
    for (const type of ['channel', 'stream'])
      for (const to of [
        'denmark',
        ' Denmark ',
        '"DENMARK"',
        '["Denmark"]',
        `${stream_id}`,
        `[${stream_id}]`,
      ])
        expect(await sent(hamlet, { type, to })).toMatchObject({
          type: 'stream',
          display_recipient: 'Denmark',
          stream_id,
        });
  });

  test('rejects an unknown name or id with STREAM_DOES_NOT_EXIST', async () => {
    const { hamlet } = chat.people;
    const code = 'STREAM_DOES_NOT_EXIST';
    expect(await refused(hamlet, { to: 'Atlantis' }, code)).toMatchObject({ stream: 'Atlantis' });
    expect(await refused(hamlet, { to: '999999' }, code)).toMatchObject({ stream_id: 999_999 });
    for (const to of ['', '[]', '["Denmark","Denmark"]', '"a\\u0000b"', '1.5', 'true'])
      await refused(hamlet, { to });
  });
});

describe('the topic of a channel message', () => {
  test('is trimmed, accepted as subject, and empty if it is the display name of the empty topic', async () => {
    const { hamlet } = chat.people;
    expect((await sent(hamlet, { topic: '  castle ' })).subject).toBe('castle');
    for (const topic of ['', 'general chat', '(no topic)'])
      expect((await sent(hamlet, { topic })).subject).toBe('');
    const form = { type: 'stream', to: 'Denmark', content: 'x' };
    const { body } = await chat.ask(hamlet, 'POST /messages', { ...form, subject: 'old' });
    expect(body['result']).toBe('success');
    expect((await chat.ask(hamlet, 'POST /messages', form)).body).toMatchObject({
      code: 'BAD_REQUEST',
      msg: 'Missing topic',
    });
    const both = await refused(hamlet, { subject: 'x' }, 'REQUEST_CONFUSING_VAR');
    expect(new Set([both['var_name1'], both['var_name2']])).toEqual(new Set(['subject', 'topic']));
  });

  test('is cut to 60 characters', async () => {
    const { hamlet } = chat.people;
    expect((await sent(hamlet, { topic: '\u{1f600}'.repeat(60) })).subject).toHaveLength(120);
    const cut = (await sent(hamlet, { topic: '\u00e9'.repeat(61) })).subject;
    expect(cut).toBe(`${'\u00e9'.repeat(57)}...`);
  });

  test('is rejected with control characters or noncharacters, accepted with unassigned characters', async () => {
    const { hamlet } = chat.people;
    for (const character of ['\n', '\u0007', '\ufffe', '\u{1ffff}'])
      expect((await refused(hamlet, { topic: `ab${character}c` }))['msg']).toMatch(/position 3/);
    expect((await sent(hamlet, { topic: 'new \u{1faff}\u0378' })).subject).toHaveLength(7);
  });

  test('is rejected if the topics policy of the channel does not allow it', async () => {
    const { hamlet } = chat.people;
    const subscribers = [hamlet];
    const named = { name: 'named', subscribers, topics_policy: 'disable_empty_topic' } as const;
    const empty = { name: 'plain', subscribers, topics_policy: 'empty_topic_only' } as const;
    await addChannel(chat, named);
    await addChannel(chat, empty);
    await sent(hamlet, { to: 'named', topic: 'x' });
    await sent(hamlet, { to: 'plain', topic: '' });
    for (const fields of [
      { to: 'named', topic: '' },
      { to: 'plain', topic: 'x' },
    ])
      expect(await refused(hamlet, fields)).toMatchObject({
        empty_topic_display_name: 'general chat',
      });
  });
});

describe('permission to post', () => {
  test('members may post in every public channel, guests only if they are subscribed', async () => {
    const { hamlet, polonius } = chat.people;
    const id = await addChannel(chat, { name: 'open', subscribers: [] });
    await sent(hamlet, { to: 'open' });
    await refused(polonius, { to: 'open' }, 'STREAM_DOES_NOT_EXIST');
    await subscribe(chat, id, polonius.user.id);
    await sent(polonius, { to: 'open' });
  });

  test('only subscribers may post in a private channel', async () => {
    const { hamlet, iago, polonius } = chat.people;
    const subscribers = [hamlet, polonius];
    await addChannel(chat, { name: 'Plot', subscribers, invite_only: true });
    for (const from of subscribers) await sent(from, { to: 'Plot' });
    await refused(iago, { to: 'Plot' });
  });

  test('a channel that the sender may not see is refused like one that does not exist', async () => {
    const { hamlet, cordelia, polonius } = chat.people;
    const id = await addChannel(chat, { name: 'cabal', subscribers: [hamlet], invite_only: true });
    const open = await addChannel(chat, { name: 'forum', subscribers: [hamlet] });
    const code = 'STREAM_DOES_NOT_EXIST';
    for (const [from, hidden, name] of [
      [cordelia, id, 'cabal'],
      [polonius, id, 'cabal'],
      [polonius, open, 'forum'],
    ] as const) {
      expect(await refused(from, { to: name }, code)).toMatchObject({
        msg: `Channel '${name}' does not exist`,
        stream: name,
      });
      expect(await refused(from, { to: `${hidden}` }, code)).toMatchObject({
        msg: `Channel with ID '${hidden}' does not exist`,
        stream_id: hidden,
      });
    }
  });

  test('a bot that becomes a guest stops posting with the commit, also on a node that missed the change', async () => {
    const { hamlet, iago } = chat.people;
    await addChannel(chat, { name: 'square', subscribers: [iago] });
    const robot = await addBot(hamlet);
    const elsewhere = await chat.anotherNode();
    const remote = createClient({ ...elsewhere, email: robot.email, apiKey: robot.api_key });
    const clients = [robot.client, remote];
    const message = { type: 'channel', to: 'square', topic: 'tests', content: 'hello' } as const;
    for (const { messages } of clients) await messages.send(message);
    await Promise.all(clients.map(({ users }) => users.me()));
    // Written without a notice: both nodes keep the caller that they have authenticated.
    await chat.server.app.db.kysely
      .updateTable('realm_user')
      .set({ role: roles.guest })
      .where('id', '=', robot.user.id)
      .execute();
    for (const { messages } of clients)
      await expect(messages.send(message)).rejects.toMatchObject({ code: 'STREAM_DOES_NOT_EXIST' });
  });

  test('nobody may post in an archived channel', async () => {
    const { hamlet } = chat.people;
    await addChannel(chat, { name: 'past', subscribers: [hamlet], is_archived: true });
    await refused(hamlet, { to: 'past' });
  });

  test('only members of can_send_message_group may post', async () => {
    const { hamlet, iago } = chat.people;
    const groups = await systemGroupIds(chat.server.app.db.kysely, chat.realm.id);
    const can_send_message_group = groups['role:administrators'];
    const subscribers = [hamlet, iago];
    await addChannel(chat, { name: 'news', subscribers, can_send_message_group });
    await refused(hamlet, { to: 'news' });
    await sent(iago, { to: 'news' });
    expect(await bot(hamlet, 'news')).toMatchObject({ code: 'BAD_REQUEST' });
    expect(await bot(iago, 'news')).toMatchObject({ result: 'success' });
  });

  test('a bot may post where its owner may', async () => {
    const { hamlet, cordelia } = chat.people;
    await addChannel(chat, { name: 'lab', subscribers: [hamlet], invite_only: true });
    expect(await bot(hamlet, 'lab')).toMatchObject({ result: 'success' });
    expect(await bot(cordelia, 'lab')).toMatchObject({ code: 'STREAM_DOES_NOT_EXIST' });
  });

  /** The response to a post by a new bot of this owner. */
  const bot = async (owner: Person, to: string) => (await post(await addBot(owner), { to })).body;

  let bots = 0;
  async function addBot(owner: Person): Promise<Person> {
    const { app } = chat.server;
    const email = `robot${bots++}-bot@chat.test`;
    const kind = { type: 1, owner_id: owner.user.id } as const;
    const { user, api_key } = await app.change(chat.realm, ({ db }) =>
      createUser(
        db,
        { realm: chat.realm, secrets: app.secrets },
        { email, full_name: `Robot ${bots}`, bot: kind },
      ),
    );
    const client = createClient({ url: chat.url, email, apiKey: api_key });
    return { user, email, api_key, client };
  }
});

describe('mentions in a channel message', () => {
  test('of a user, a group, the channel and the topic set the flags of the recipients', async () => {
    const { hamlet, cordelia, iago, polonius } = chat.people;
    await addGroup('actors', [cordelia, hamlet], 'role:everyone');
    await sent(iago, { topic: 'play' });
    const all = [hamlet, cordelia, iago, polonius];
    const queues = await Promise.all(all.map((person) => listen(person)));
    const flagsOf = async (content: string) => {
      await sent(hamlet, { topic: 'PLAY', content });
      const events = await Promise.all(queues.map((queue) => queue.messages()));
      return events.map(([event]) => event?.['flags']);
    };
    expect(await flagsOf('hi')).toEqual([[], [], [], []]);
    expect(await flagsOf('@**Cordelia**')).toEqual([[], ['mentioned'], [], []]);
    expect(await flagsOf('@*actors*')).toEqual([['mentioned'], ['mentioned'], [], []]);
    expect(await flagsOf('@_*actors*')).toEqual([[], [], [], []]);
    const channel = ['stream_wildcard_mentioned', 'wildcard_mentioned'];
    expect(await flagsOf('@**all**')).toEqual([channel, channel, channel, channel]);
    const topic = ['topic_wildcard_mentioned', 'wildcard_mentioned'];
    expect(await flagsOf('@**topic**')).toEqual([topic, [], topic, []]);
    const { messages } = await iago.client.messages.fetch({
      anchor: 'newest',
      num_before: 1,
      narrow: [{ operator: 'is', operand: 'mentioned' }],
    });
    expect(messages).toMatchObject([{ flags: topic }]);
  });

  test('of a group need can_mention_group, silent ones do not', async () => {
    const { hamlet, iago, cordelia } = chat.people;
    await addGroup('crown', [cordelia], 'role:administrators');
    expect((await refused(hamlet, { content: 'hail @*crown*' }))['msg']).toMatch(/'crown'/);
    await sent(hamlet, { content: 'hail @_*crown*' });
    await sent(hamlet, { content: 'hail `@*crown*`' });
    await sent(iago, { content: 'hail @*crown*' });
  });

  test('by wildcard need a permission above 15 subscribers or participants', async () => {
    const { hamlet, iago } = chat.people;
    const crowd = [];
    for (let at = 0; at < 15; at++) crowd.push(await chat.addPerson(`extra${at}`));
    const id = await addChannel(chat, { name: 'crowd', subscribers: crowd });
    await sent(hamlet, { to: 'crowd', content: '@**all**' });
    for (const person of crowd) await sent(person, { to: 'crowd', topic: 'loud' });
    await sent(hamlet, { to: 'crowd', topic: 'loud', content: '@**topic**' });
    await subscribe(chat, id, hamlet.user.id);
    for (const content of ['@**all**', '@**everyone**', '@**stream**', '@**channel**'])
      await refused(hamlet, { to: 'crowd', content }, 'STREAM_WILDCARD_MENTION_NOT_ALLOWED');
    await refused(
      hamlet,
      { to: 'crowd', topic: 'loud', content: '@**topic**' },
      'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
    );
    await sent(hamlet, { to: 'crowd', topic: 'quiet', content: '@**topic**' });
    await sent(hamlet, { to: 'crowd', content: '@_**all** and `@**all**`' });
    await sent(iago, { to: 'crowd', content: '@**all**' });
  });

  async function addGroup(
    name: string,
    members: readonly Person[],
    mayMention: 'role:everyone' | 'role:administrators',
  ) {
    const db = chat.server.app.db.kysely;
    const { 'role:nobody': nobody, ...groups } = await systemGroupIds(db, chat.realm.id);
    const realm_id = chat.realm.id;
    const settings = Object.fromEntries(userGroupSettings.map((setting) => [setting, nobody]));
    const { id } = await db
      .insertInto('user_group')
      .values({ ...settings, realm_id, name, can_mention_group: groups[mayMention] })
      .returning('id')
      .executeTakeFirstOrThrow();
    const rows = members.map(({ user }) => ({ realm_id, group_id: id, user_id: user.id }));
    await db.insertInto('user_group_member').values(rows).execute();
  }
});

describe('the message event of a channel message', () => {
  test('goes to subscribers, and from a public channel to queues for all public channels', async () => {
    const { hamlet, cordelia, desdemona } = chat.people;
    await addChannel(chat, { name: 'cellar', subscribers: [hamlet], invite_only: true });
    const subscribed = await listen(cordelia);
    const everything = await listen(desdemona, { all_public_streams: true });
    const nothing = await listen(desdemona);
    const { id } = await sent(hamlet, { topic: 'public' });
    await sent(hamlet, { to: 'cellar' });
    const event = { message: { id, type: 'stream', display_recipient: 'Denmark' } };
    expect(await subscribed.messages()).toMatchObject([event]);
    expect(await everything.messages()).toMatchObject([event]);
    expect(await nothing.messages()).toEqual([]);
  });

  test('names the channel, and has what a wildcard gives every subscriber once', async () => {
    const { iago, hamlet, cordelia, desdemona } = chat.people;
    const everybody = Object.values(chat.people).filter((one) => one !== desdemona);
    const id = await addChannel(chat, { name: 'market', subscribers: everybody });
    const queues = [await listen(hamlet), await listen(cordelia), await listen(iago)];
    const outside = await listen(desdemona, { all_public_streams: true });
    await sent(iago, { to: 'market', content: `@**all** @**|${cordelia.user.id}**` });
    const wildcard = ['stream_wildcard_mentioned', 'wildcard_mentioned'];
    const flags = await Promise.all(
      queues.map(async (queue) => (await queue.messages()).map((event) => event['flags'])),
    );
    expect(flags).toEqual([[wildcard], [['mentioned', ...wildcard]], [wildcard]]);
    expect(await outside.messages()).toMatchObject([{ flags: [] }]);
    const { audience, personal } = await chat.server.app.db.kysely
      .selectFrom('event')
      .select(['audience', 'personal'])
      .where('type', '=', 'message')
      .orderBy('seq', 'desc')
      .executeTakeFirstOrThrow();
    expect(audience).toEqual([everyoneInChannel(id), EVERYONE_LISTENING]);
    expect(personal).toEqual({
      users: { [cordelia.user.id]: { flags: ['mentioned', ...wildcard] } },
      subscribers: { flags: wildcard },
    });
  });

  test('reaches queues for all public channels from a channel without subscribers', async () => {
    const { hamlet, desdemona } = chat.people;
    await addChannel(chat, { name: 'desert', subscribers: [] });
    const everything = await listen(desdemona, { all_public_streams: true });
    const { id } = await sent(hamlet, { to: 'desert' });
    expect(await everything.messages()).toMatchObject([{ message: { id } }]);
  });

  test('shows the empty topic in the format of each queue and is filtered by its narrow', async () => {
    const { hamlet, cordelia } = chat.people;
    const knowing = await listen(cordelia, { client_capabilities: { empty_topic_name: true } });
    const narrow = (operator: string, operand: string, negated = false) =>
      listen(cordelia, { narrow: [{ operator, operand, negated }] });
    const passing = [
      await listen(cordelia),
      await narrow('stream', 'denmark'),
      await narrow('topic', 'general chat'),
      await narrow('topic', ''),
      await narrow('is', 'dm', true),
    ];
    const closed = [await narrow('topic', 'tests'), await narrow('channel', 'elsewhere')];
    await sent(hamlet, { topic: '' });
    expect(await knowing.messages()).toMatchObject([{ message: { subject: '' } }]);
    for (const queue of passing)
      expect(await queue.messages()).toMatchObject([{ message: { subject: 'general chat' } }]);
    for (const queue of closed) expect(await queue.messages()).toEqual([]);
  });
});

test('the first message of a channel sets first_message_id', async () => {
  const { hamlet } = chat.people;
  const id = await addChannel(chat, { name: 'fresh', subscribers: [hamlet] });
  const first = await sent(hamlet, { to: 'fresh' });
  await sent(hamlet, { to: 'fresh' });
  expect(await firstMessageOf(chat, id)).toBe(first.id);
});

test('the first message of a channel is told once to everybody who sees the channel', async () => {
  const { hamlet, shiva, polonius } = chat.people;
  await addChannel(chat, { name: 'unheard', subscribers: [hamlet] });
  const queues = [await listen(hamlet), await listen(shiva)];
  const hidden = await listen(polonius);
  const first = await sent(hamlet, { to: 'unheard' });
  await sent(hamlet, { to: 'unheard' });
  const told = { op: 'update', name: 'unheard', property: 'first_message_id', value: first.id };
  for (const queue of queues) expect(await queue.events('stream')).toMatchObject([told]);
  expect(await hidden.events('stream')).toEqual([]);
});

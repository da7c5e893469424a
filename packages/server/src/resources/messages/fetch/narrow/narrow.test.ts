import type { ChannelId, MessageId } from '@bellhop/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type Person, startTestChat, type TestChat } from '../../../../test-chat.fixture.ts';
import { addChannel } from '../../../channels/channels.fixture.ts';

type Terms = { operator: string; operand: string | number | (string | number)[]; negated?: true }[];

let chat: TestChat;
let denmark: ChannelId;
let scotland: ChannelId;
/** The ids of the test messages by name. */
const sent: Record<string, MessageId> = {};

interface TopicAddress {
  readonly channel: string;
  readonly topic: string;
}
async function say(
  name: string,
  from: Person,
  to: TopicAddress | readonly Person[],
  content = name,
): Promise<void> {
  const recipient =
    'channel' in to
      ? { type: 'channel' as const, to: to.channel, topic: to.topic }
      : { type: 'direct' as const, to: to.map(({ user }) => user.id) };
  sent[name] = (await from.client.messages.send({ ...recipient, content })).id;
}

beforeAll(async () => {
  chat = await startTestChat();
  const { hamlet, cordelia, iago, desdemona } = chat.people;
  denmark = await addChannel(chat, { name: 'Denmark', subscribers: [hamlet, cordelia] });
  scotland = await addChannel(chat, { name: 'Scotland', subscribers: [cordelia] });
  await addChannel(chat, { name: 'Plot', subscribers: [iago], invite_only: true });
  await say('castle', hamlet, { channel: 'Denmark', topic: 'Castle' });
  await say('empty', cordelia, { channel: 'Denmark', topic: '' });
  await say('resolved', hamlet, { channel: 'Denmark', topic: '\u2714 Castle' });
  await hamlet.client.alertWords.add({ alert_words: ['see'] });
  await say('link', cordelia, { channel: 'Denmark', topic: 'links' }, 'see https://example.com');
  await say('elsewhere', cordelia, { channel: 'Scotland', topic: 'Castle' });
  await say('pair', cordelia, [hamlet]);
  await say('self', hamlet, [hamlet]);
  await say('group', iago, [hamlet, cordelia]);
  await say('other', iago, [hamlet]);
  await say('mention', desdemona, [hamlet], 'dear @**Hamlet**');
  await flag('pair', 'starred');
  await flag('castle', 'read');
  for (const [by, name] of [
    [cordelia, 'pair'],
    [hamlet, 'group'],
    [iago, 'group'],
  ] as const)
    await by.client.reactions.add({
      message_id: sent[name] ?? (0 as MessageId),
      emoji_name: 'tada',
    });
});
afterAll(() => chat[Symbol.asyncDispose]());

const flag = (name: string, added: 'read' | 'starred') =>
  chat.people.hamlet.client.messages.setFlag({
    messages: [sent[name] ?? (0 as MessageId)],
    op: 'add',
    flag: added,
  });

/** The names of the messages that a narrow matches. */
async function found(reader: Person, narrow: Terms): Promise<string[]> {
  const ask = { anchor: 'newest', num_before: 100, num_after: 0, narrow };
  const { messages } = await reader.client.messages.fetch(ask);
  const names = new Map(Object.entries(sent).map(([name, id]) => [id, name]));
  return messages.map(({ id }) => names.get(id) ?? `message ${id}`);
}

const hamletFinds = (...narrow: Terms) => found(chat.people.hamlet, narrow);
const everything = () => hamletFinds();
async function hamletFindsBut(...names: string[]) {
  return (await everything()).filter((name) => !names.includes(name));
}

/** The reason for which a narrow is rejected. */
async function refusal(reader: Person, narrow: unknown): Promise<unknown> {
  const fields = { anchor: 'newest', num_before: '1', num_after: '0' };
  const { status, body } = await chat.ask(reader, 'GET /messages', {
    ...fields,
    narrow: JSON.stringify(narrow),
  });
  expect([status, body['code']]).toEqual([400, 'BAD_NARROW']);
  return body['desc'];
}

describe('narrow by channel and topic', () => {
  test('channel and stream accept a name in any letter case or an id', async () => {
    const inDenmark = ['castle', 'empty', 'resolved', 'link'];
    for (const operator of ['channel', 'stream'])
      for (const operand of ['Denmark', 'dENMARK', denmark])
        expect(await hamletFinds({ operator, operand })).toEqual(inDenmark);
    expect(await hamletFinds({ operator: 'channel', operand: denmark, negated: true })).toEqual(
      await hamletFindsBut(...inDenmark),
    );
  });

  test('an unsubscribed public channel matches its history, unless a term is about flags', async () => {
    const channel = { operator: 'channel', operand: scotland };
    expect(await hamletFinds(channel)).toEqual(['elsewhere']);
    expect(await hamletFinds(channel, { operator: 'is', operand: 'unread' })).toEqual([]);
    expect(await hamletFinds({ operator: 'topic', operand: 'castle' })).toEqual(['castle']);
  });

  test('channels:public and channels:web-public match the messages of such channels', async () => {
    for (const operator of ['channels', 'streams'])
      expect(await hamletFinds({ operator, operand: 'public' })).toEqual([
        'castle',
        'empty',
        'resolved',
        'link',
        'elsewhere',
      ]);
    const web = { operator: 'channels', operand: 'web-public' };
    expect(await hamletFinds(web)).toEqual([]);
    expect(
      await found(chat.people.polonius, [{ operator: 'channels', operand: 'public' }]),
    ).toEqual([]);
  });

  test('topic matches in any letter case, the empty topic also by its display name', async () => {
    const channel = { operator: 'channel', operand: 'Denmark' };
    expect(await hamletFinds(channel, { operator: 'topic', operand: 'CASTLE' })).toEqual([
      'castle',
    ]);
    for (const operand of ['', 'general chat', 'General Chat', '(no topic)'])
      expect(await hamletFinds(channel, { operator: 'topic', operand })).toEqual(['empty']);
    const notCastle = { operator: 'topic', operand: 'Castle', negated: true } as const;
    expect(await hamletFinds(notCastle)).toEqual(await hamletFindsBut('castle'));
  });
});

describe('narrow by user', () => {
  test('sender accepts an id or an address', async () => {
    const { cordelia } = chat.people;
    for (const operand of [cordelia.user.id, cordelia.email, cordelia.email.toUpperCase()])
      expect(await hamletFinds({ operator: 'sender', operand })).toEqual(['empty', 'link', 'pair']);
  });

  test('dm and pm-with match the conversation of exactly these users, with or without the reader', async () => {
    const { hamlet, cordelia, iago } = chat.people;
    const ids = [cordelia.user.id, iago.user.id];
    for (const operator of ['dm', 'pm-with', 'pm_with']) {
      for (const operand of [
        ids,
        [...ids, hamlet.user.id],
        `${cordelia.email}, ${iago.email}`,
        [cordelia.email, iago.email],
      ])
        expect(await hamletFinds({ operator, operand })).toEqual(['group']);
      for (const operand of [[cordelia.user.id], cordelia.user.id, cordelia.email])
        expect(await hamletFinds({ operator, operand })).toEqual(['pair']);
      for (const operand of [[hamlet.user.id], hamlet.email])
        expect(await hamletFinds({ operator, operand })).toEqual(['self']);
    }
    const never = { operator: 'dm', operand: [chat.people.shiva.user.id] };
    expect(await hamletFinds(never)).toEqual([]);
    const not = { operator: 'dm', operand: cordelia.email, negated: true } as const;
    expect(await hamletFinds(not)).toEqual(await hamletFindsBut('pair'));
  });

  test('dm matches no conversation of other users', async () => {
    const { iago, cordelia } = chat.people;
    const narrow = [{ operator: 'dm', operand: [chat.people.hamlet.user.id, iago.user.id] }];
    expect(await found(cordelia, narrow)).toEqual(['group']);
    expect(await found(chat.people.shiva, narrow)).toEqual([]);
  });

  test('dm-including matches conversations with a user, group-pm-with only group conversations', async () => {
    const { cordelia } = chat.people;
    for (const operand of [cordelia.user.id, cordelia.email]) {
      expect(await hamletFinds({ operator: 'dm-including', operand })).toEqual(['pair', 'group']);
      expect(await hamletFinds({ operator: 'group-pm-with', operand })).toEqual(['group']);
    }
  });
});

describe('narrow by is, has and in', () => {
  const direct = ['pair', 'self', 'group', 'other', 'mention'];
  const qualities: [operator: string, operand: string, names: string[]][] = [
    ['is', 'dm', direct],
    ['is', 'private', direct],
    ['is', 'starred', ['pair']],
    ['is', 'mentioned', ['mention']],
    ['is', 'alerted', ['link']],
    ['is', 'resolved', ['resolved']],
    // Hamlet started these topics.
    ['is', 'followed', ['castle', 'resolved']],
    ['is', 'muted', []],
    ['has', 'link', ['link']],
    ['has', 'image', []],
    ['has', 'attachment', []],
    ['has', 'reaction', ['pair', 'group']],
  ];
  test.each(qualities)('%s:%s and its negation', async (operator, operand, names) => {
    expect(await hamletFinds({ operator, operand })).toEqual(names);
    const not = { operator, operand, negated: true } as const;
    expect(await hamletFinds(not)).toEqual(await hamletFindsBut(...names));
  });

  test('is:unread matches messages without the read flag', async () => {
    const read = { operator: 'is', operand: 'unread', negated: true } as const;
    expect(await hamletFinds(read)).toEqual(['castle']);
    expect(await hamletFinds({ operator: 'is', operand: 'unread' })).toEqual(
      await hamletFindsBut('castle'),
    );
  });

  test('is:muted matches muted channels without followed topics, in:home omits them', async () => {
    const subscriptions = () =>
      chat.server.app.db.kysely
        .updateTable('subscription')
        .where('user_id', '=', chat.people.hamlet.user.id);
    expect(await hamletFinds({ operator: 'in', operand: 'home' })).toEqual(await everything());
    await subscriptions().set({ is_muted: true }).execute();
    try {
      const muted = ['empty', 'link'];
      expect(await hamletFinds({ operator: 'is', operand: 'muted' })).toEqual(muted);
      const home = await hamletFindsBut(...muted);
      expect(await hamletFinds({ operator: 'in', operand: 'home' })).toEqual(home);
      expect(await hamletFinds({ operator: 'in', operand: 'all' })).toEqual(await everything());
    } finally {
      await subscriptions().set({ is_muted: false }).execute();
    }
  });
});

describe('narrow by message id', () => {
  test('id accepts a number or digits', async () => {
    const id = sent['pair'] ?? 0;
    expect(await hamletFinds({ operator: 'id', operand: id })).toEqual(['pair']);
    expect(await hamletFinds({ operator: 'id', operand: String(id) })).toEqual(['pair']);
    expect(await hamletFinds({ operator: 'id', operand: sent['elsewhere'] ?? 0 })).toEqual([]);
  });

  test('near matches every message', async () => {
    expect(await hamletFinds({ operator: 'near', operand: '1' })).toEqual(await everything());
  });

  test('with matches the current conversation of the message', async () => {
    const channel = { operator: 'channel', operand: 'Scotland' };
    const topic = { operator: 'topic', operand: 'gone' };
    const to = (name: string) => ({ operator: 'with', operand: sent[name] ?? 0 });
    expect(await hamletFinds(channel, topic, to('castle'))).toEqual(['castle']);
    expect(await hamletFinds(to('group'))).toEqual(['group']);
    expect(await hamletFinds(channel, topic, to('elsewhere'))).toEqual(['elsewhere']);
  });

  test('with an unreadable message matches the other terms if they name a conversation', async () => {
    const { hamlet, cordelia } = chat.people;
    const hidden = { operator: 'with', operand: '999999999' };
    const channel = { operator: 'channel', operand: 'Denmark' };
    const topic = { operator: 'topic', operand: 'castle' };
    const dm = { operator: 'dm', operand: [cordelia.user.id] };
    expect(await hamletFinds(channel, topic, hidden)).toEqual(['castle']);
    expect(await hamletFinds(dm, hidden)).toEqual(['pair']);
    expect(await refusal(hamlet, [channel, hidden])).toMatch('999999999');
    expect(await refusal(hamlet, [hidden])).toMatch('999999999');
    const ofOthers = [{ operator: 'with', operand: sent['self'] }];
    await refusal(cordelia, ofOthers);
    await refusal(hamlet, [{ operator: 'with', operand: 'this' }]);
    await refusal(hamlet, [{ operator: 'with', operand: sent['self'] ?? 0, negated: true }]);
    await refusal(hamlet, [hidden, hidden]);
  });
});

test('terms may be pairs of strings, and a message must match all of them', async () => {
  const fields = { anchor: 'newest', num_before: '9', num_after: '0' };
  const narrow = JSON.stringify([
    ['stream', 'Denmark'],
    ['sender', chat.people.cordelia.email],
  ]);
  const { body } = await chat.ask(chat.people.hamlet, 'GET /messages', { ...fields, narrow });
  expect(body['messages']).toMatchObject([{ id: sent['empty'] }, { id: sent['link'] }]);
});

describe('a narrow is rejected with a reason for', () => {
  const term = (operator: string, operand: unknown) => [{ operator, operand }];
  const refused: [name: string, narrow: unknown][] = [
    ['an unknown operator', term('colour', 'red')],
    ['an unknown channel', term('channel', 'Atlantis')],
    ['an unknown channel id', term('channel', 999_999)],
    ['a private channel of others', term('channel', 'Plot')],
    ['a list of channels', term('channel', ['Denmark'])],
    ['an unknown channels operand', term('channels', 'all')],
    ['a topic that is a number', term('topic', 3)],
    ['an unknown sender', term('sender', 'nobody@chat.test')],
    ['an unknown sender id', term('sender', 999_999)],
    ['a list of senders', term('sender', [1])],
    ['a conversation with somebody unknown', term('dm', [999_999])],
    ['a conversation with somebody and a negative id', term('dm', [-1, 'hamlet@chat.test'])],
    ['a conversation with nobody', term('dm', [])],
    ['a conversation with no address', term('dm', '')],
    ['an unknown is operand', term('is', 'nice')],
    ['an unknown has operand', term('has', 'constructor')],
    ['an unknown in operand', term('in', 'office')],
    ['no search text', term('search', ' ')],
    ['a number as search text', term('search', 12)],
    ['an id that is no number', term('id', 'first')],
    ['a channel with a conversation', [...term('channel', 'Denmark'), ...term('is', 'dm')]],
    ['a topic with a conversation', [...term('topic', 'x'), ...term('dm', 'hamlet@chat.test')]],
  ];
  test.each(refused)('%s', async (_name, narrow) => {
    expect(await refusal(chat.people.hamlet, narrow)).toMatch(/\w/);
  });

  test('a negated is:dm does not contradict a channel', async () => {
    const channel = { operator: 'channel', operand: 'Denmark' };
    const dm = { operator: 'is', operand: 'dm', negated: true } as const;
    expect(await hamletFinds(channel, dm)).toEqual(['castle', 'empty', 'resolved', 'link']);
  });
});

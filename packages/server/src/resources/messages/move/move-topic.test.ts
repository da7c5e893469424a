import type { ChannelId, MessageId } from '@bellhop/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { expectRefused } from '../../../expect-refused.fixture.ts';
import { type Person, startTestChat, type TestChat } from '../../../test-chat.fixture.ts';
import { addChannel, setChannel } from '../../channels/channels.fixture.ts';
import { listen } from '../../queues/listen.fixture.ts';
import { resetRealmSettings } from '../../realms/realm-settings.fixture.ts';

let chat: TestChat;
let channel: ChannelId;
let now = 1_800_000_000;
let topics = 0;
let topic: string;
beforeAll(async () => {
  chat = await startTestChat({ now: () => now });
  const { hamlet, cordelia, iago, polonius } = chat.people;
  channel = await addChannel(chat, {
    name: 'Denmark',
    subscribers: [hamlet, cordelia, iago, polonius],
  });
});
beforeEach(async () => {
  topic = `topic ${++topics}`;
  await resetRealmSettings(chat, {});
});
afterAll(() => chat[Symbol.asyncDispose]());

const send = async (from: Person, content = 'x', into = topic) => {
  const message = { type: 'channel', to: 'Denmark', topic: into, content } as const;
  return (await from.client.messages.send(message)).id;
};
const move = (by: Person, id: MessageId, fields: Record<string, string>) =>
  chat.ask(by, `PATCH /messages/${id}`, { send_notification_to_new_thread: 'false', ...fields });
async function moved(by: Person, id: MessageId, fields: Record<string, string>) {
  expect((await move(by, id, fields)).body).toMatchObject({ result: 'success' });
}
const refused = (by: Person, id: MessageId, fields: Record<string, string>) =>
  expectRefused(move(by, id, fields));
const fetched = async (id: MessageId) => {
  const ask = { message_id: id, allow_empty_topic_name: true };
  return (await chat.people.iago.client.messages.fetchOne(ask)).message;
};
const topicsOf = async (...ids: MessageId[]) =>
  Promise.all(ids.map(async (id) => (await fetched(id)).subject));
const contents = async (of: string) => {
  const narrow = [
    { operator: 'channel', operand: channel },
    { operator: 'topic', operand: of },
  ];
  const ask = { anchor: 'newest', num_before: 100, narrow, apply_markdown: false } as const;
  const { messages } = await chat.people.iago.client.messages.fetch(ask);
  return messages.map(({ content }) => content);
};

describe('changing the topic', () => {
  const ids = async () => [
    await send(chat.people.hamlet),
    await send(chat.people.hamlet, 'x', topic.toUpperCase()),
    await send(chat.people.hamlet),
  ];

  test('propagate_mode includes one message, the later ones or the whole topic in any letter case', async () => {
    const { hamlet } = chat.people;
    const [one, two, three] = (await ids()) as [MessageId, MessageId, MessageId];
    const other = await send(hamlet, 'x', `${topic} not`);
    await moved(hamlet, two, { topic: 'a' });
    expect(await topicsOf(one, two, three)).toEqual([topic, 'a', topic]);
    await moved(hamlet, two, { topic });
    await moved(hamlet, two, { topic: 'b', propagate_mode: 'change_later' });
    expect(await topicsOf(one, two, three)).toEqual([topic, 'b', 'b']);
    await moved(hamlet, three, { subject: topic, propagate_mode: 'change_all' });
    expect(await topicsOf(one, two, three)).toEqual([topic, topic, topic]);
    await moved(hamlet, two, { topic: '', propagate_mode: 'change_all' });
    expect(await topicsOf(one, two, three, other)).toEqual(['', '', '', `${topic} not`]);
  });

  test('adds an entry to the edit history of each message', async () => {
    const { hamlet, cordelia } = chat.people;
    const [one, two] = (await ids()) as [MessageId, MessageId];
    now += 10;
    await moved(cordelia, one, { topic: 'new', propagate_mode: 'change_all' });
    const entry = { user_id: cordelia.user.id, timestamp: now, topic: 'new' };
    const first = await fetched(one);
    expect(first.edit_history).toEqual([{ ...entry, prev_topic: topic }]);
    expect(first.last_moved_timestamp).toBe(now);
    expect(first).not.toHaveProperty('last_edit_timestamp');
    expect((await fetched(two)).edit_history).toEqual([
      { ...entry, prev_topic: topic.toUpperCase() },
    ]);
    now += 10;
    await moved(hamlet, one, { content: 'new words', topic: '' });
    const { message_history } = await hamlet.client.messages.history({ message_id: one });
    expect(message_history).toMatchObject([
      { topic, content: 'x' },
      { topic: 'new', prev_topic: topic, content: 'x' },
      { topic: 'general chat', prev_topic: 'new', content: 'new words', prev_content: 'x' },
    ]);
    expect(message_history[1]).not.toHaveProperty('prev_content');
    await resetRealmSettings(chat, { message_edit_history_visibility_policy: 'moves' });
    const { edit_history } = await fetched(one);
    expect(edit_history).toEqual([
      { user_id: hamlet.user.id, timestamp: now, prev_topic: 'new', topic: '' },
      { ...entry, timestamp: now - 10, prev_topic: topic },
    ]);
    const shown = (await hamlet.client.messages.fetchOne({ message_id: one })).message;
    expect(shown.edit_history?.[0]).toMatchObject({ topic: 'general chat' });
  });

  test('a change of letter case skips messages that already have it', async () => {
    const { hamlet } = chat.people;
    const [one, two, three] = (await ids()) as [MessageId, MessageId, MessageId];
    const queue = await listen(hamlet);
    await moved(hamlet, one, { topic: topic.toUpperCase(), propagate_mode: 'change_all' });
    expect(await topicsOf(one, two, three)).toEqual(Array(3).fill(topic.toUpperCase()));
    expect(await queue.events('update_message')).toMatchObject([{ message_ids: [one, three] }]);
    expect(await fetched(two)).not.toHaveProperty('edit_history');
  });

  test('a topic that is cut to the current one changes nothing, and content beside it is edited alone', async () => {
    const { hamlet } = chat.people;
    const id = await send(hamlet, 'x', 'z'.repeat(70));
    const same = { topic: 'z'.repeat(70) };
    expect((await refused(hamlet, id, same))['msg']).toBe('Nothing to change');
    const queue = await listen(hamlet);
    await moved(hamlet, id, { ...same, content: 'y' });
    const [event] = await queue.events('update_message');
    expect(event).toMatchObject({ message_ids: [id], content: 'y' });
    expect(event).not.toHaveProperty('subject');
  });

  test('two concurrent moves of a topic run one after the other', async () => {
    const { hamlet, cordelia } = chat.people;
    const [one, two, three] = (await ids()) as [MessageId, MessageId, MessageId];
    const all = { propagate_mode: 'change_all' };
    await Promise.all([
      moved(hamlet, three, { ...all, topic: `${topic} a` }),
      moved(cordelia, one, { ...all, topic: `${topic} b` }),
    ]);
    const found = new Set(await topicsOf(one, two, three));
    expect(found.size).toBe(1);
    const { edit_history } = await fetched(two);
    expect(edit_history).toHaveLength(2);
    expect(edit_history?.[0]?.prev_topic).toBe(edit_history?.[1]?.topic);
  });

  test('search finds messages by their new topic', async () => {
    const { hamlet } = chat.people;
    const id = await send(hamlet);
    await moved(hamlet, id, { topic: 'yggdrasil' });
    const narrow = [{ operator: 'search', operand: 'yggdrasil' }];
    const ask = { anchor: 'newest', num_before: 10, narrow } as const;
    expect((await hamlet.client.messages.fetch(ask)).messages.map((one) => one.id)).toEqual([id]);
  });
});

describe('a move is rejected', () => {
  test('without changes, with only propagate_mode, and for direct messages', async () => {
    const { hamlet, iago } = chat.people;
    const id = await send(hamlet);
    expect((await refused(hamlet, id, { topic }))['msg']).toBe('Nothing to change');
    expect((await refused(hamlet, id, { stream_id: String(channel) }))['msg']).toBe(
      'Nothing to change',
    );
    expect((await refused(hamlet, id, { propagate_mode: 'change_all' }))['msg']).toMatch(
      /propagate_mode/,
    );
    const to = [iago.user.id];
    const letter = await hamlet.client.messages.send({ type: 'direct', to, content: 'x' });
    expect((await refused(hamlet, letter.id, { topic: 'x' }))['msg']).toMatch(/have topics/);
    expect((await refused(hamlet, letter.id, { stream_id: `${channel}` }))['msg']).toMatch(
      /moved to channels/,
    );
  });

  test('for a topic that is unprintable or that the topics policy does not allow', async () => {
    const { hamlet } = chat.people;
    const id = await send(hamlet);
    expect((await refused(hamlet, id, { topic: 'a\u0007' }))['msg']).toMatch(/position 2/);
    await resetRealmSettings(chat, { topics_policy: 'disable_empty_topic' });
    expect(await refused(hamlet, id, { topic: '(no topic)' })).toMatchObject({
      code: 'BAD_REQUEST',
      empty_topic_display_name: 'general chat',
    });
    await moved(hamlet, id, { topic: 'y'.repeat(70) });
    expect(await topicsOf(id)).toEqual([`${'y'.repeat(57)}...`]);
  });
});

describe('permission to change topics', () => {
  test('comes from the realm, the channel, or its administration', async () => {
    const { hamlet, cordelia, polonius, iago } = chat.people;
    const id = await send(hamlet);
    await moved(polonius, id, { topic: 'by a guest' });
    await resetRealmSettings(chat, {}, { can_move_messages_between_topics_group: 'role:nobody' });
    expect((await refused(hamlet, id, { topic: 'a' }))['msg']).toMatch(/permission to edit/);
    await moved(iago, id, { topic: 'by an administrator' });
    await setChannel(chat, 'Denmark', { can_move_messages_within_channel_group: 'role:members' });
    await moved(cordelia, id, { topic: 'by a member' });
    expect((await refused(polonius, id, { topic: 'a' }))['msg']).toMatch(/permission to edit/);
    await setChannel(chat, 'Denmark', { can_move_messages_within_channel_group: 'role:nobody' });
    await setChannel(chat, 'Denmark', { can_administer_channel_group: 'role:members' });
    await moved(cordelia, id, { topic: 'by who administers the channel' });
    await setChannel(chat, 'Denmark', { can_administer_channel_group: 'role:everyone' });
    expect((await refused(polonius, id, { topic: 'a' }))['msg']).toMatch(/permission to edit/);
    await setChannel(chat, 'Denmark', { can_administer_channel_group: 'role:nobody' });
  });

  test('only moderators may move messages older than the time limit', async () => {
    const { hamlet, shiva } = chat.people;
    const id = await send(hamlet);
    now += 604_800 + 20;
    await moved(hamlet, id, { topic: 'just in time' });
    now += 1;
    expect((await refused(hamlet, id, { topic: 'late' }))['msg']).toMatch(/time limit/);
    await moved(shiva, id, { topic: 'by a moderator' });
    await resetRealmSettings(chat, { move_messages_within_stream_limit_seconds: null });
    await moved(hamlet, id, { topic: 'no limit' });
  });

  test('only moderators may move a whole topic with messages older than the time limit', async () => {
    const { hamlet, shiva } = chat.people;
    await resetRealmSettings(chat, { move_messages_within_stream_limit_seconds: 600 });
    await send(hamlet);
    now += 700;
    const [second, third] = [await send(hamlet), await send(hamlet)];
    const all = { topic: 'new', propagate_mode: 'change_all' };
    expect(await refused(hamlet, third, all)).toMatchObject({
      code: 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
      first_message_id_allowed_to_move: second,
      total_messages_in_topic: 3,
      total_messages_allowed_to_move: 2,
    });
    await moved(hamlet, second, { ...all, propagate_mode: 'change_later' });
    await moved(hamlet, second, { topic, propagate_mode: 'change_later' });
    await moved(shiva, third, all);
  });
});

describe('resolving a topic', () => {
  const resolved = () => `\u2714 ${topic}`;
  const all = { propagate_mode: 'change_all', send_notification_to_new_thread: 'true' };

  test('leaves last_moved_timestamp unset, and the notification bot says who did it', async () => {
    const { hamlet, cordelia } = chat.people;
    const id = await send(hamlet);
    await moved(cordelia, id, { ...all, topic: resolved() });
    expect(await fetched(id)).toMatchObject({ subject: resolved(), edit_history: [{}] });
    expect(await fetched(id)).not.toHaveProperty('last_moved_timestamp');
    const by = `@_**Cordelia|${cordelia.user.id}** has marked this topic as`;
    expect(await contents(resolved())).toEqual(['x', `${by} resolved.`]);
    now += 61;
    await moved(cordelia, id, { ...all, topic });
    expect(await contents(topic)).toEqual(['x', `${by} resolved.`, `${by} unresolved.`]);
  });

  test('unresolving the topic within a minute removes the notice, unless somebody has written', async () => {
    const { hamlet, cordelia } = chat.people;
    const queue = await listen(hamlet, { client_capabilities: { bulk_message_deletion: true } });
    const id = await send(hamlet);
    await moved(cordelia, id, { ...all, topic: resolved() });
    now += 60;
    await moved(cordelia, id, { ...all, topic });
    expect(await contents(topic)).toEqual(['x']);
    const events = await queue.all();
    const notice = events.findLast(({ type }) => type === 'message')?.['message'] as { id: number };
    expect(events.filter(({ type }) => type === 'delete_message')).toMatchObject([
      { message_ids: [notice.id], topic },
    ]);
    await moved(cordelia, id, { ...all, topic: resolved() });
    await hamlet.client.messages.send({
      type: 'channel',
      to: 'Denmark',
      topic: resolved(),
      content: 'not yet',
    });
    await moved(cordelia, id, { ...all, topic });
    expect(await contents(topic)).toHaveLength(4);
  });

  test('needs can_resolve_topics_group and has no time limit', async () => {
    const { hamlet, cordelia, polonius } = chat.people;
    const id = await send(hamlet);
    now += 10_000_000;
    await moved(cordelia, id, { ...all, topic: resolved() });
    await resetRealmSettings(chat, {}, { can_resolve_topics_group: 'role:nobody' });
    expect((await refused(cordelia, id, { ...all, topic }))['msg']).toMatch(/resolve topics/);
    await setChannel(chat, 'Denmark', { can_resolve_topics_group: 'role:members' });
    expect((await refused(polonius, id, { ...all, topic }))['msg']).toMatch(/resolve topics/);
    await moved(cordelia, id, { ...all, topic });
    await resetRealmSettings(chat, {}, { can_move_messages_between_topics_group: 'role:nobody' });
    await moved(cordelia, id, { ...all, topic: resolved() });
    expect((await refused(cordelia, id, { topic: `\u2714 not ${topic}` }))['msg']).toMatch(
      /permission to edit/,
    );
    await setChannel(chat, 'Denmark', { can_resolve_topics_group: 'role:nobody' });
  });
});

test('readers get update_message with topics in the format of each client', async () => {
  const { hamlet, cordelia, polonius, shiva } = chat.people;
  const [one, two] = [await send(hamlet), await send(hamlet, '@**Cordelia**')];
  const hers = await listen(cordelia, { client_capabilities: { empty_topic_name: true } });
  const his = await listen(polonius);
  const strangers = await listen(shiva);
  now += 3;
  await moved(hamlet, two, { topic: '', propagate_mode: 'change_all' });
  const event = {
    id: expect.any(Number),
    type: 'update_message',
    user_id: hamlet.user.id,
    rendering_only: false,
    message_id: two,
    message_ids: [one, two],
    flags: ['mentioned'],
    edit_timestamp: now,
    stream_id: channel,
    stream_name: 'Denmark',
    propagate_mode: 'change_all',
    orig_subject: topic,
    subject: '',
    topic_links: [],
  };
  expect(await hers.events('update_message')).toEqual([event]);
  expect(await his.events('update_message')).toEqual([
    { ...event, flags: [], subject: 'general chat' },
  ]);
  expect(await strangers.events('update_message')).toEqual([]);
  await moved(hamlet, one, { topic: 'see https://x.test', content: 'hi' });
  expect(await his.events('update_message')).toMatchObject([
    {
      orig_subject: 'general chat',
      subject: 'see https://x.test',
      topic_links: [{ url: 'https://x.test' }],
      orig_content: 'x',
      content: 'hi',
    },
  ]);
});

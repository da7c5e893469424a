import type { ChannelId, MessageId } from '@bellhop/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { expectRefused } from '../../../expect-refused.fixture.ts';
import { flagBits } from '../../../model/messages/read/flags.ts';
import { recipientFlags } from '../../../model/messages/read/recipient-flags.ts';
import { type Person, startTestChat, type TestChat } from '../../../test-chat.fixture.ts';
import { addChannel, setChannel, subscribe } from '../../channels/channels.fixture.ts';
import { listen } from '../../queues/listen.fixture.ts';
import { resetRealmSettings } from '../../realms/realm-settings.fixture.ts';

let chat: TestChat;
let now = 1_800_000_000;
let made = 0;
let topic: string;
let from: ChannelId;
let to: ChannelId;
beforeAll(async () => {
  chat = await startTestChat({ now: () => now });
});
/** Creates two public channels: hamlet, cordelia, iago and a guest are in the first, hamlet in the second. */
beforeEach(async () => {
  made += 1;
  topic = `topic ${made}`;
  await resetRealmSettings(chat, {});
  const { hamlet, cordelia, iago, polonius } = chat.people;
  from = await channel('from', [hamlet, cordelia, iago, polonius]);
  to = await channel('to', [hamlet]);
});
afterAll(() => chat[Symbol.asyncDispose]());

type Settings = Omit<Parameters<typeof addChannel>[1], 'name' | 'subscribers'>;
const channel = (name: string, subscribers: readonly Person[], settings: Settings = {}) =>
  addChannel(chat, { name: `${name} ${made}`, subscribers, ...settings });
const cellar = { invite_only: true, history_public_to_subscribers: true };
const vault = { invite_only: true, history_public_to_subscribers: false };

const send = async (by: Person, content = 'x', name = `from ${made}`) =>
  (await by.client.messages.send({ type: 'channel', to: name, topic, content })).id;
const move = (by: Person, id: MessageId, fields: Record<string, string> = {}) =>
  chat.ask(by, `PATCH /messages/${id}`, {
    stream_id: String(to),
    send_notification_to_new_thread: 'false',
    ...fields,
  });
const moved = async (by: Person, id: MessageId, fields?: Record<string, string>) =>
  expect((await move(by, id, fields)).body).toMatchObject({ result: 'success' });
const refused = (by: Person, id: MessageId, fields?: Record<string, string>) =>
  expectRefused(move(by, id, fields));
const fetched = async (by: Person, id: MessageId) =>
  (await by.client.messages.fetchOne({ message_id: id })).message;
const flagsOf = async (by: Person, id: MessageId) =>
  (await fetched(by, id).catch(() => undefined))?.flags;
const unreadOf = async ({ client }: Person) => {
  const { unread_msgs } = await client.queues.register();
  return unread_msgs?.streams.filter(({ stream_id }) => stream_id === from || stream_id === to);
};
const contents = async (by: Person, stream_id: ChannelId) => {
  const narrow = [{ operator: 'channel', operand: stream_id }];
  const ask = { anchor: 'newest', num_before: 100, narrow, apply_markdown: false } as const;
  return (await by.client.messages.fetch(ask)).messages.map(({ content }) => content);
};

describe('moving messages to another channel', () => {
  test('changes channel and topic and adds an entry to the edit history', async () => {
    const { hamlet } = chat.people;
    const [one, two, three] = [await send(hamlet), await send(hamlet), await send(hamlet)];
    await moved(hamlet, one);
    expect(await fetched(hamlet, one)).toMatchObject({
      stream_id: to,
      display_recipient: `to ${made}`,
      subject: topic,
      last_moved_timestamp: now,
      edit_history: [{ user_id: hamlet.user.id, timestamp: now, prev_stream: from, stream: to }],
    });
    expect((await fetched(hamlet, two)).stream_id).toBe(from);
    await moved(hamlet, three, { topic: 'new', propagate_mode: 'change_all' });
    for (const id of [two, three])
      expect(await fetched(hamlet, id)).toMatchObject({ stream_id: to, subject: 'new' });
    const { message_history } = await hamlet.client.messages.history({ message_id: two });
    expect(message_history[1]).toMatchObject({
      prev_stream: from,
      stream: to,
      prev_topic: topic,
      topic: 'new',
    });
    expect(await contents(hamlet, to)).toEqual(['x', 'x', 'x']);
    expect(await contents(hamlet, from)).toEqual([]);
  });

  test('messages whose channel alone changes keep the letter case of their topic', async () => {
    const { hamlet } = chat.people;
    const one = await send(hamlet);
    topic = topic.toUpperCase();
    const two = await send(hamlet);
    await moved(hamlet, one, { propagate_mode: 'change_all' });
    expect(await fetched(hamlet, two)).toMatchObject({ stream_id: to, subject: topic });
  });

  test('tells those who see the old channel that it begins with the notice', async () => {
    const { iago, cordelia } = chat.people;
    from = await channel('short', [iago]);
    const id = await send(iago, 'x', `short ${made}`);
    const queue = await listen(cordelia, { event_types: ['stream'] });
    await moved(iago, id, { send_notification_to_old_thread: 'true' });
    const changes = (await queue.all()).filter((event) => event['stream_id'] === from);
    const { stream } = await cordelia.client.channels.one({ stream_id: from });
    expect(stream.first_message_id).toBeGreaterThan(id);
    expect(changes.at(-1)).toMatchObject({
      property: 'first_message_id',
      value: stream.first_message_id,
    });
  });

  test('updates first_message_id of both channels', async () => {
    const { hamlet, shiva } = chat.people;
    const [one, two] = [await send(hamlet), await send(hamlet)];
    const three = await send(hamlet, 'x', `to ${made}`);
    const queue = await listen(shiva);
    const first = async () => {
      const { streams } = await shiva.client.channels.list();
      return [from, to].map(
        (id) => streams.find(({ stream_id }) => stream_id === id)?.first_message_id,
      );
    };
    expect(await first()).toEqual([one, three]);
    await moved(hamlet, two);
    expect(await first()).toEqual([one, two]);
    await moved(hamlet, one);
    expect(await first()).toEqual([null, one]);
    const values = (await queue.events('stream')).map(({ stream_id, value }) => [stream_id, value]);
    expect(values).toEqual([
      [to, two],
      [from, null],
      [to, one],
    ]);
  });

  test('is rejected with new content, and for an unknown, archived or unsuitable channel', async () => {
    const { hamlet } = chat.people;
    const id = await send(hamlet);
    expect((await refused(hamlet, id, { content: 'y' }))['msg']).toMatch(/while changing channel/);
    expect(await refused(hamlet, id, { stream_id: '999999' })).toMatchObject({
      code: 'STREAM_DOES_NOT_EXIST',
      stream_id: 999_999,
    });
    const archived = await channel('archived', [hamlet], { is_archived: true });
    expect((await refused(hamlet, id, { stream_id: `${archived}` }))['msg']).toMatch(
      /Not authorized/,
    );
    const general = await channel('general', [hamlet], { topics_policy: 'empty_topic_only' });
    expect((await refused(hamlet, id, { stream_id: `${general}` }))['msg']).toMatch(
      /Only the general chat/,
    );
    await moved(hamlet, id, { stream_id: `${general}`, topic: '' });
  });
});

describe('permission to change the channel', () => {
  test('comes from the realm, the channel the message leaves, or its administration', async () => {
    const { hamlet, cordelia, polonius, iago } = chat.people;
    const ids = [await send(hamlet), await send(hamlet), await send(hamlet), await send(hamlet)];
    const [one, two, three, four] = ids as [MessageId, MessageId, MessageId, MessageId];
    expect((await refused(polonius, one))['msg']).toMatch(/does not exist/);
    await moved(cordelia, one);
    await resetRealmSettings(chat, {}, { can_move_messages_between_channels_group: 'role:nobody' });
    expect((await refused(cordelia, two))['msg']).toMatch(/permission to move/);
    await moved(iago, two);
    const out = 'can_move_messages_out_of_channel_group';
    await setChannel(chat, `to ${made}`, { [out]: 'role:members' });
    expect((await refused(cordelia, three))['msg']).toMatch(/permission to move/);
    await setChannel(chat, `from ${made}`, { [out]: 'role:members' });
    await moved(cordelia, three);
    await setChannel(chat, `from ${made}`, { [out]: 'role:nobody' });
    await setChannel(chat, `from ${made}`, { can_administer_channel_group: 'role:members' });
    await moved(cordelia, four);
  });

  test('a new topic also needs permission to change topics in either channel', async () => {
    const { hamlet } = chat.people;
    const id = await send(hamlet);
    await resetRealmSettings(chat, {}, { can_move_messages_between_topics_group: 'role:nobody' });
    expect((await refused(hamlet, id, { topic: 'new' }))['msg']).toMatch(/permission to edit/);
    const within = { can_move_messages_within_channel_group: 'role:members' } as const;
    await setChannel(chat, `to ${made}`, within);
    await moved(hamlet, id, { topic: 'new' });
  });

  test('only moderators may move messages older than the time limit', async () => {
    const { hamlet, shiva } = chat.people;
    await resetRealmSettings(chat, { move_messages_between_streams_limit_seconds: 600 });
    const old = await send(hamlet);
    now += 621;
    const young = await send(hamlet);
    expect((await refused(hamlet, old))['msg']).toMatch(/time limit/);
    expect(await refused(hamlet, young, { propagate_mode: 'change_all' })).toMatchObject({
      code: 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
      first_message_id_allowed_to_move: young,
      total_messages_in_topic: 2,
      total_messages_allowed_to_move: 1,
    });
    await moved(shiva, young, { propagate_mode: 'change_all' });
    expect((await fetched(hamlet, old)).stream_id).toBe(to);
  });

  test('the user must be able to read the message and to post in the new channel', async () => {
    const { hamlet, cordelia } = chat.people;
    const id = await send(hamlet);
    const hidden = await channel('hidden', [hamlet], cellar);
    expect((await refused(cordelia, id, { stream_id: `${hidden}` }))['msg']).toMatch(
      /does not exist/,
    );
    await moved(hamlet, id, { stream_id: `${hidden}` });
    expect((await refused(cordelia, id))['msg']).toBe('Invalid message(s)');
  });
});

describe('moving messages to another public channel', () => {
  test('members keep them, as read if they are not subscribed, and unsubscribed guests lose them', async () => {
    const { hamlet, cordelia, iago, polonius } = chat.people;
    const id = await send(iago, '@**Cordelia** @**Hamlet**');
    expect(await unreadOf(cordelia)).toMatchObject([{ unread_message_ids: [id] }]);
    const queues = await Promise.all([hamlet, cordelia, polonius].map((one) => listen(one)));
    await moved(iago, id, { topic: 'new' });
    const told = await Promise.all(
      queues.map(async (queue) => [...(await queue.events('update_message'))]),
    );
    const event = { message_ids: [id], stream_id: from, new_stream_id: to, subject: 'new' };
    expect(told).toMatchObject([
      [{ ...event, orig_subject: topic, flags: ['mentioned'] }],
      [{ ...event, orig_subject: topic, flags: ['read', 'mentioned'] }],
      [],
    ]);
    expect(await unreadOf(hamlet)).toEqual([
      { stream_id: to, topic: 'new', unread_message_ids: [id] },
    ]);
    expect(await unreadOf(cordelia)).toEqual([]);
    expect(await unreadOf(polonius)).toEqual([]);
    expect(await flagsOf(cordelia, id)).toEqual(['read', 'mentioned']);
    expect(await flagsOf(polonius, id)).toBeUndefined();
  });

  test('users who can no longer read them get delete_message', async () => {
    const { hamlet, polonius } = chat.people;
    const [one, two] = [await send(hamlet), await send(hamlet)];
    const queue = await listen(polonius, {
      client_capabilities: { bulk_message_deletion: true },
    });
    await moved(hamlet, one, { topic: 'new', propagate_mode: 'change_all' });
    expect(await queue.events('delete_message')).toEqual([
      {
        id: expect.any(Number),
        type: 'delete_message',
        message_type: 'stream',
        message_ids: [one, two],
        stream_id: from,
        topic,
      },
    ]);
  });

  test('queues for all public channels get update_message', async () => {
    const { hamlet, shiva } = chat.people;
    const id = await send(hamlet);
    const queue = await listen(shiva, { all_public_streams: true });
    await moved(hamlet, id);
    expect(await queue.events('update_message')).toMatchObject([{ new_stream_id: to }]);
  });
});

describe('moving messages to a private channel', () => {
  test('only its subscribers can read them, recipients with their flags', async () => {
    const { hamlet, cordelia, iago, shiva } = chat.people;
    const hidden = await channel('hidden', [hamlet, shiva], cellar);
    const id = await send(cordelia, '@**Hamlet**');
    const queues = await Promise.all(
      [hamlet, shiva, cordelia, iago].map((one) => listen(one, { all_public_streams: true })),
    );
    await moved(hamlet, id, { stream_id: `${hidden}` });
    const updates = await Promise.all(queues.map((queue) => queue.events('update_message')));
    expect(updates).toMatchObject([
      [{ flags: ['mentioned'] }],
      [{ flags: ['read', 'historical'] }],
      [],
      [],
    ]);
    expect(await flagsOf(hamlet, id)).toEqual(['mentioned']);
    expect(await flagsOf(shiva, id)).toEqual(['read', 'historical']);
    for (const lost of [cordelia, iago]) expect(await flagsOf(lost, id)).toBeUndefined();
    const receivers = await recipientFlags(chat.server.app.db.kysely, chat.realm.id, id);
    expect(receivers).toEqual([{ user_id: hamlet.user.id, flags: flagBits.mentioned }]);
  });

  test('users who can no longer read them get delete_message', async () => {
    const { hamlet, cordelia } = chat.people;
    const hidden = await channel('hidden', [hamlet], cellar);
    const id = await send(hamlet);
    const queue = await listen(cordelia);
    await moved(hamlet, id, { stream_id: `${hidden}` });
    expect(await queue.events('delete_message')).toMatchObject([{ message_id: id, topic }]);
    expect(await unreadOf(cordelia)).toEqual([]);
  });

  test('queues for all public channels get delete_message once, unless their user is subscribed', async () => {
    const { hamlet, cordelia, shiva } = chat.people;
    const hidden = await channel('hidden', [hamlet], cellar);
    const id = await send(hamlet);
    const queues = await Promise.all(
      [hamlet, cordelia, shiva].map((one) => listen(one, { all_public_streams: true })),
    );
    await moved(hamlet, id, { stream_id: `${hidden}` });
    const told = await Promise.all(queues.map((queue) => queue.events('delete_message')));
    expect(told).toMatchObject([[], [{ message_id: id }], [{ message_id: id }]]);
  });

  test('all subscribers of a channel without shared history receive them, new recipients as read', async () => {
    const { hamlet, cordelia, shiva, polonius } = chat.people;
    const safe = await channel('safe', [hamlet, shiva, polonius], vault);
    const id = await send(cordelia);
    await moved(hamlet, id, { stream_id: `${safe}` });
    expect(await flagsOf(hamlet, id)).toEqual([]);
    expect(await flagsOf(shiva, id)).toEqual(['read', 'historical']);
    expect(await flagsOf(polonius, id)).toEqual([]);
    expect(await flagsOf(cordelia, id)).toBeUndefined();
  });
});

describe('moving messages out of a private channel', () => {
  test('users who could not read them get no update_message and no name of the private channel', async () => {
    const { hamlet, cordelia } = chat.people;
    const hidden = await channel('hidden', [hamlet], cellar);
    const id = await send(hamlet, 'no secret', `hidden ${made}`);
    const queues = await Promise.all([hamlet, cordelia].map((one) => listen(one)));
    await moved(hamlet, id, {
      send_notification_to_old_thread: 'true',
      send_notification_to_new_thread: 'true',
    });
    const [his, hers] = await Promise.all(queues.map((queue) => queue.events('update_message')));
    expect(his).toMatchObject([{ stream_id: hidden, new_stream_id: to }]);
    expect(hers).toEqual([]);
    expect(await flagsOf(cordelia, id)).toEqual(['read', 'historical']);
    const by = `by @_**Hamlet|${hamlet.user.id}**.`;
    expect(await contents(cordelia, to)).toEqual([
      'no secret',
      `This topic was moved here from a private channel ${by}`,
    ]);
    expect(await contents(hamlet, hidden)).toEqual([
      `This topic was moved to #**to ${made}>${topic}** ${by}`,
    ]);
  });

  test('in a channel without shared history users move only messages that they received, and get events about no others', async () => {
    const { hamlet, cordelia, iago } = chat.people;
    const safe = await channel('safe', [hamlet, iago], vault);
    const one = await send(hamlet, 'one', `safe ${made}`);
    await subscribe(chat, safe, cordelia.user.id);
    const two = await send(hamlet, 'two', `safe ${made}`);
    const queues = await Promise.all([iago, cordelia].map((one) => listen(one)));
    await moved(hamlet, one, {
      content: 'uno',
      topic: 'new',
      stream_id: `${safe}`,
      propagate_mode: 'change_all',
    });
    const [his, hers] = await Promise.all(queues.map((queue) => queue.events('update_message')));
    expect(his).toMatchObject([{ message_id: one, message_ids: [one, two], content: 'uno' }]);
    expect(hers).toMatchObject([{ message_id: two, message_ids: [two], subject: 'new' }]);
    expect(hers?.[0]).not.toHaveProperty('content');
    await moved(cordelia, two, { propagate_mode: 'change_all' });
    expect((await fetched(hamlet, one)).stream_id).toBe(safe);
    expect((await fetched(hamlet, two)).stream_id).toBe(to);
  });
});

test('a bot may move messages to a private channel of its owner, and cannot read them there', async () => {
  const { hamlet } = chat.people;
  const made_bot = await hamlet.client.bots.create({ full_name: 'Mover', short_name: 'mover' });
  const bot = { email: 'mover-bot@chat.test', api_key: made_bot.api_key } as Person;
  const hidden = await channel('hidden', [hamlet], cellar);
  const id = await send(hamlet);
  await moved(bot, id, { stream_id: `${hidden}` });
  expect((await fetched(hamlet, id)).stream_id).toBe(hidden);
  expect((await refused(bot, id))['msg']).toBe('Invalid message(s)');
});

import { type DraftContent, type DraftId, MAX_DRAFTS } from '@bellhop/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type Person, startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { addChannel } from '../channels/channels.fixture.ts';
import { listen } from '../queues/listen.fixture.ts';

const now = 1_700_000_000;
let chat: TestChat;
beforeAll(async () => (chat = await startTestChat({ now: () => now })));
afterAll(() => chat[Symbol.asyncDispose]());

const note: DraftContent = { type: '', to: [], topic: '', content: 'a thought' };
const add = async ({ client }: Person, ...drafts: DraftContent[]) =>
  (await client.drafts.add({ drafts })).ids;
const listOf = async ({ client }: Person) => (await client.drafts.list({})).drafts;
const stateOf = async ({ client }: Person) =>
  (await client.queues.register({ fetch_event_types: ['drafts'] })).drafts;
const setSynchronization = (person: Person, value: boolean) =>
  chat.server.app.db.kysely
    .updateTable('realm_user')
    .set({ settings: JSON.stringify({ enable_drafts_synchronization: value }) })
    .where('id', '=', person.user.id)
    .execute();

describe('a draft', () => {
  test('reaches all clients of its user, and nobody else', async () => {
    const { hamlet, cordelia } = chat.people;
    const own = await listen(hamlet);
    const other = await listen(cordelia);
    const [draft_id = 0 as DraftId] = await add(hamlet, note);
    await hamlet.client.drafts.update({ draft_id, draft: { ...note, content: 'changed' } });
    await hamlet.client.drafts.remove({ draft_id });
    const stored = { ...note, id: draft_id, timestamp: now };
    expect(await own.events('drafts')).toMatchObject([
      { op: 'add', drafts: [stored] },
      { op: 'update', draft: { ...stored, content: 'changed' } },
      { op: 'remove', draft_id },
    ]);
    expect(await other.events('drafts')).toEqual([]);
  });

  test('of another user is answered like a missing one: 404 with BAD_REQUEST', async () => {
    const [id] = await add(chat.people.hamlet, note);
    const draft = JSON.stringify(note);
    for (const [route, fields] of [
      [`PATCH /drafts/${id}`, { draft }],
      [`DELETE /drafts/${id}`, {}],
      ['DELETE /drafts/999999', {}],
    ] as const) {
      const { status, body } = await chat.ask(chat.people.cordelia, route, fields);
      expect([status, body]).toEqual([
        404,
        { result: 'error', code: 'BAD_REQUEST', msg: 'Draft does not exist' },
      ]);
    }
    expect(await listOf(chat.people.hamlet)).toContainEqual({ ...note, id, timestamp: now });
  });

  test('of a direct message shows the other participants, of a note to self the user', async () => {
    const { iago, hamlet, cordelia } = chat.people;
    const to = [hamlet.user.id, iago.user.id, cordelia.user.id];
    const direct = { ...note, type: 'private' as const };
    await add(
      iago,
      { ...direct, to },
      { ...direct, to: [iago.user.id] },
      { ...direct, topic: 'x' },
    );
    expect((await listOf(iago)).map((one) => [one.to, one.topic])).toEqual([
      [[hamlet.user.id, cordelia.user.id], ''],
      [[iago.user.id], ''],
      [[], ''],
    ]);
  });

  test('is stored with its topic cut to 60 characters, its content trimmed, its time in seconds', async () => {
    const { shiva } = chat.people;
    const channel = await addChannel(chat, { name: 'drafts', subscribers: [shiva] });
    const topic = 'x'.repeat(61);
    const [id] = await add(shiva, {
      type: 'stream',
      to: [channel],
      topic,
      content: '\n text \n',
      timestamp: 1_000.9,
    });
    expect(await listOf(shiva)).toEqual([
      {
        id,
        type: 'stream',
        to: [channel],
        topic: `${'x'.repeat(57)}...`,
        content: ' text',
        timestamp: 1_000,
      },
    ]);
  });

  test('in the empty topic of a channel is in `general chat` for clients without empty_topic_name', async () => {
    const { shiva } = chat.people;
    const channel = await addChannel(chat, { name: 'topicless', subscribers: [shiva] });
    const client_capabilities = { notification_settings_null: true, empty_topic_name: true };
    const [old, modern] = [await listen(shiva), await listen(shiva, { client_capabilities })];
    const draft = { type: 'stream' as const, to: [channel], topic: '', content: 'x' };
    const [draft_id = 0 as DraftId] = await add(shiva, draft);
    await shiva.client.drafts.update({ draft_id, draft: { ...draft, topic: 'general chat' } });
    for (const [queue, topic] of [
      [old, 'general chat'],
      [modern, ''],
    ] as const)
      expect(await queue.events('drafts')).toMatchObject([
        { op: 'add', drafts: [{ topic }] },
        { op: 'update', draft: { topic } },
      ]);
    const topicOf = (drafts: readonly { id: DraftId; topic: string }[] = []) =>
      drafts.find(({ id }) => id === draft_id)?.topic;
    const { client } = shiva;
    const state = await client.queues.register({
      fetch_event_types: ['drafts'],
      client_capabilities,
    });
    const listed = await client.drafts.list({ allow_empty_topic_name: true });
    expect([topicOf(state.drafts), topicOf(listed.drafts)]).toEqual(['', '']);
    expect([topicOf(await stateOf(shiva)), topicOf(await listOf(shiva))]).toEqual([
      'general chat',
      'general chat',
    ]);
  });

  test('comes in order of its edit: oldest first in the list, newest first in the state', async () => {
    const { desdemona } = chat.people;
    const times = [300, 100, 200];
    await add(desdemona, ...times.map((timestamp) => ({ ...note, timestamp })));
    const timesOf = (drafts: readonly { timestamp: number }[] = []) =>
      drafts.map(({ timestamp }) => timestamp);
    expect(timesOf(await listOf(desdemona))).toEqual([100, 200, 300]);
    expect(timesOf(await stateOf(desdemona))).toEqual([300, 200, 100]);
  });
});

describe('adding a draft is refused', () => {
  const refusal = async (draft: object) => {
    const drafts = JSON.stringify([note, draft]);
    const { status, body } = await chat.ask(chat.people.polonius, 'POST /drafts', { drafts });
    expect([status, body['code']]).toEqual([400, 'BAD_REQUEST']);
    expect(await listOf(chat.people.polonius)).toEqual([]);
    return body['msg'];
  };

  test.each([
    ['with an ID', { ...note, id: 1 }, /Unrecognized key: "id"/],
    ['without a type', { to: [], topic: '', content: 'x' }, /type/],
    ['without recipients', { type: '', topic: '', content: 'x' }, /to/],
    ['without a topic', { type: '', to: [], content: 'x' }, /topic/],
    ['without content', { type: '', to: [], topic: '' }, /content/],
    ['with blank content', { ...note, content: ' \n ' }, 'Message must not be empty'],
    ['with a negative time', { ...note, timestamp: -1 }, /timestamp/],
    ['with an unknown type', { ...note, type: 'channel' }, /type/],
    [
      'with two channels',
      { ...note, type: 'stream', to: [1, 2] },
      'Must specify exactly 1 channel ID for channel messages',
    ],
    ['with an unknown channel', { ...note, type: 'stream', to: [999_999] }, 'Invalid channel ID'],
    ['with an unknown user', { ...note, type: 'private', to: [999_999] }, 'Invalid user ID 999999'],
  ])('%s', async (_title, draft, message) => {
    expect(await refusal(draft)).toEqual(
      typeof message === 'string' ? message : expect.stringMatching(message),
    );
  });

  test('for a channel that the user may not see', async () => {
    const hidden = await addChannel(chat, { name: 'cellar', subscribers: [], invite_only: true });
    expect(await refusal({ ...note, type: 'stream', to: [hidden] })).toBe('Invalid channel ID');
  });

  test('with null bytes in topic or content', async () => {
    for (const nul of [{ topic: 'a\0b' }, { content: 'a\0b' }])
      expect(await refusal({ ...note, ...nul })).toMatch(/null/i);
  });

  test(`beyond ${MAX_DRAFTS} drafts`, async () => {
    const person = await chat.addPerson('writer');
    await add(person, ...Array.from({ length: MAX_DRAFTS }, () => note));
    await expect(add(person, note)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: `You can have at most ${MAX_DRAFTS} drafts: remove some first.`,
    });
  });
});

test('without synchronization every call is refused and the state is empty', async () => {
  const person = await chat.addPerson('private');
  await add(person, note);
  await setSynchronization(person, false);
  await chat.server.app.users.forgotten();
  const draft = JSON.stringify(note);
  for (const [route, fields] of [
    ['GET /drafts', {}],
    ['POST /drafts', { drafts: JSON.stringify([note]) }],
    ['PATCH /drafts/1', { draft }],
    ['DELETE /drafts/1', {}],
  ] as const)
    expect((await chat.ask(person, route, fields)).body).toMatchObject({
      code: 'BAD_REQUEST',
      msg: 'User has disabled synchronizing drafts.',
    });
  expect(await stateOf(person)).toEqual([]);
});

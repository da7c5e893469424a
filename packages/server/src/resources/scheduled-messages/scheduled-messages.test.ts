import {
  type Api,
  type AskOf,
  type ChannelId,
  MAX_SCHEDULED_MESSAGES,
  roles,
  type ScheduledMessageId,
} from '@bellhop/protocol';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { type Person, startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { addChannel, subscribe, unsubscribe } from '../channels/channels.fixture.ts';
import { listen } from '../queues/listen.fixture.ts';
import { sendScheduledMessage } from './send-scheduled-message.ts';

// In the year 2100: no job is due before the test says so.
let now = 4_102_444_800;
let chat: TestChat;
let venice: ChannelId;
beforeAll(async () => {
  chat = await startTestChat({ now: () => now, maxConnections: 1 }); // a job that needs two fails
  venice = await addChannel(chat, { name: 'venice', subscribers: [chat.people.hamlet] });
});
afterAll(() => chat[Symbol.asyncDispose]());

type NewMessage = AskOf<Api['scheduledMessages']['add']>;
const due = () => now + 3600;
let people = 0;
const newPerson = (role?: typeof roles.guest) => chat.addPerson(`planner${++people}`, role);

async function schedule(
  { client, user }: Person,
  message: Partial<NewMessage> = {},
): Promise<ScheduledMessageId> {
  const scheduled_delivery_timestamp = due();
  const to = [user.id];
  const note: NewMessage = { type: 'direct', to, content: 'a note', scheduled_delivery_timestamp };
  const asked = { ...note, ...message };
  return (await client.scheduledMessages.add(asked)).scheduled_message_id;
}
const toVenice = (fields: Partial<NewMessage> = {}): Partial<NewMessage> => ({
  type: 'channel',
  to: venice,
  topic: 'plans',
  content: 'off we go',
  ...fields,
});
const listOf = async ({ client }: Person) =>
  (await client.scheduledMessages.list({})).scheduled_messages;
const refusal = async (person: Person, route: string, fields: Record<string, string> = {}) => {
  const { status, body } = await chat.ask(person, route, fields);
  return [status, body['code'], body['msg']];
};

interface JobTables {
  job: { name: string; state: string; due_at: Date };
}
const jobs = () => chat.server.app.db.kysely as unknown as Kysely<JobTables>;

/** Resolves when every job that is due has ended. */
const dueJobsEnd = () =>
  vi.waitFor(async () => {
    const waiting = jobs().selectFrom('job').select('due_at');
    const mine = waiting.where('name', '=', sendScheduledMessage.name);
    const due = mine.where('state', 'in', ['queued', 'running']).where('due_at', '<', new Date());
    expect(await due.execute()).toEqual([]);
  }, 15_000);

/** Lets so many seconds pass, in which all scheduled messages become due. */
async function passDueTime(seconds = 3600): Promise<void> {
  now += seconds;
  const all = jobs()
    .updateTable('job')
    .set({ due_at: new Date(0) });
  await all.where('name', '=', sendScheduledMessage.name).where('state', '=', 'queued').execute();
  await dueJobsEnd();
}

test('a message scheduled to the empty topic is in `general chat` for clients without empty_topic_name', async () => {
  const { hamlet } = chat.people;
  const client_capabilities = { notification_settings_null: true, empty_topic_name: true };
  const [old, modern] = [await listen(hamlet), await listen(hamlet, { client_capabilities })];
  const scheduled_message_id = await schedule(hamlet, toVenice({ topic: '' }));
  await hamlet.client.scheduledMessages.update({ scheduled_message_id, content: 'changed' });
  for (const [queue, topic] of [
    [old, 'general chat'],
    [modern, ''],
  ] as const)
    expect(await queue.events('scheduled_messages')).toMatchObject([
      { op: 'add', scheduled_messages: [{ topic }] },
      { op: 'update', scheduled_message: { topic } },
    ]);
  const fetch_event_types = ['scheduled_messages'];
  const { client } = hamlet;
  expect([
    await client.queues.register({ fetch_event_types }),
    await client.queues.register({ fetch_event_types, client_capabilities }),
    await client.scheduledMessages.list({}),
    await client.scheduledMessages.list({ allow_empty_topic_name: true }),
  ]).toMatchObject(
    ['general chat', '', 'general chat', ''].map((topic) => ({ scheduled_messages: [{ topic }] })),
  );
  await client.scheduledMessages.remove({ scheduled_message_id });
});

describe('a scheduled message', () => {
  test('is sent when it is due, leaves the list, and its sender gets both events', async () => {
    const { hamlet } = chat.people;
    const id = await schedule(hamlet, toVenice());
    const queue = await listen(hamlet);
    expect(await listOf(hamlet)).toEqual([
      {
        scheduled_message_id: id,
        type: 'stream',
        to: venice,
        topic: 'plans',
        content: 'off we go',
        rendered_content: '<p>off we go</p>',
        scheduled_delivery_timestamp: due(),
        failed: false,
      },
    ]);
    await passDueTime();
    const events = (await queue.all()).filter(({ type }) => type.includes('message'));
    expect(events).toMatchObject([
      {
        type: 'message',
        message: { content: 'off we go', subject: 'plans', timestamp: now },
      },
      { type: 'scheduled_messages', op: 'remove', scheduled_message_id: id },
    ]);
    expect(await listOf(hamlet)).toEqual([]);
  });

  test('is sent once by two nodes and by repeated jobs', async () => {
    const { hamlet } = chat.people;
    const node = await chat.anotherNode();
    const id = await schedule(hamlet, toVenice({ topic: 'once' }));
    const payload = { realm_id: chat.realm.id, id, deliver_at: due() };
    await chat.server.app.change(chat.realm, ({ enqueueAll }) =>
      enqueueAll(sendScheduledMessage, [payload, payload, payload]),
    );
    await passDueTime();
    const { messages } = await hamlet.client.messages.fetch({
      anchor: 'newest',
      num_before: 10,
      narrow: [{ operator: 'topic', operand: 'once' }],
    });
    expect(messages).toHaveLength(1);
    await node.server.stop();
  });

  test('that is put off or deleted leaves no job of its former time behind', async () => {
    const person = await newPerson();
    const scheduled_message_id = await schedule(person);
    const waiting = async () => {
      const all = jobs().selectFrom('job').select('due_at');
      const mine = all.where('name', '=', sendScheduledMessage.name);
      const rows = await mine
        .where(sql<boolean>`payload @> ${JSON.stringify({ id: scheduled_message_id })}::jsonb`)
        .execute();
      return rows.map(({ due_at }) => due_at.getTime() / 1000);
    };
    const later = due() + 3600;
    const put_off = { scheduled_message_id, scheduled_delivery_timestamp: later };
    await person.client.scheduledMessages.update(put_off);
    expect(await waiting()).toEqual([later]);
    await person.client.scheduledMessages.remove({ scheduled_message_id });
    expect(await waiting()).toEqual([]);
  });

  test('moved to a later time is not sent at its first time', async () => {
    const person = await newPerson();
    const scheduled_message_id = await schedule(person);
    await person.client.scheduledMessages.update({
      scheduled_message_id,
      scheduled_delivery_timestamp: due() + 3600,
    });
    const first = { realm_id: chat.realm.id, id: scheduled_message_id, deliver_at: due() };
    await chat.server.app.change(chat.realm, ({ enqueue }) => enqueue(sendScheduledMessage, first));
    const queue = await listen(person);
    await dueJobsEnd();
    expect(await queue.messages()).toEqual([]);
    expect(await listOf(person)).toHaveLength(1);
    await passDueTime(7200);
    expect(await queue.messages()).toHaveLength(1);
  });

  test.each([
    [undefined, 'website', ['read']],
    [undefined, 'a script', []],
    ['false', 'website', []],
    ['true', 'a script', ['read']],
  ])('with read_by_sender %s from %s gets the flags %j', async (read_by_sender, agent, flags) => {
    const person = await newPerson();
    await subscribe(chat, venice, person.user.id);
    const queue = await listen(person);
    const body = new URLSearchParams({
      type: 'stream',
      to: String(venice),
      topic: 'read',
      content: 'x',
      scheduled_delivery_timestamp: String(due()),
      ...(read_by_sender && { read_by_sender }),
    });
    const basic = Buffer.from(`${person.email}:${person.api_key}`).toString('base64');
    const headers = { authorization: `Basic ${basic}`, 'user-agent': agent };
    const response = await fetch(`${chat.url}/api/v1/scheduled_messages`, {
      method: 'POST',
      headers,
      body,
    });
    expect(response.status).toBe(200);
    await passDueTime();
    expect(await queue.messages()).toMatchObject([{ flags }]);
  });

  test('of another user is answered like a missing one', async () => {
    const id = await schedule(chat.people.iago);
    const { cordelia } = chat.people;
    const missing = [404, 'BAD_REQUEST', 'Scheduled message does not exist'];
    for (const path of [id, 999_999]) {
      expect(await refusal(cordelia, `DELETE /scheduled_messages/${path}`)).toEqual(missing);
      const edit = { content: 'mine' };
      expect(await refusal(cordelia, `PATCH /scheduled_messages/${path}`, edit)).toEqual(missing);
    }
    expect(await listOf(chat.people.iago)).toHaveLength(1);
  });
});

describe('a scheduled message that may not be sent when it is due', () => {
  test('fails, its sender reads why, and a new time sends it', async () => {
    const person = await newPerson();
    const cellar = await addChannel(chat, {
      name: 'cellar',
      subscribers: [person],
      invite_only: true,
    });
    const id = await schedule(person, toVenice({ to: cellar }));
    await unsubscribe(chat, cellar, person.user.id);
    const queue = await listen(person);
    await passDueTime();
    const events = await queue.all();
    expect(events).toMatchObject([
      { type: 'scheduled_messages', op: 'update', scheduled_message: { failed: true } },
      { type: 'message', message: { sender_full_name: 'Notification Bot' } },
    ]);
    expect(JSON.stringify(events)).toContain(`Channel with ID '${cellar}' does not exist`);
    await subscribe(chat, cellar, person.user.id);
    const route = `PATCH /scheduled_messages/${id}`;
    expect(await refusal(person, route, { content: 'again' })).toEqual([
      400,
      'BAD_REQUEST',
      'Scheduled delivery time must be in the future.',
    ]);
    await chat.ask(person, route, { scheduled_delivery_timestamp: String(due()) });
    expect(await listOf(person)).toMatchObject([{ failed: false }]);
    await passDueTime();
    expect(await listOf(person)).toEqual([]);
    expect(await queue.messages()).toMatchObject([{ message: { stream_id: cellar } }]);
  });

  test('fails if the server was down for more than ten minutes', async () => {
    const person = await newPerson();
    await schedule(person);
    const queue = await listen(person);
    await passDueTime(3600 + 601);
    expect(await listOf(person)).toMatchObject([{ failed: true }]);
    const [message] = await queue.messages();
    expect(JSON.stringify(message)).toContain('could not be sent at the scheduled time');
  });

  test('fails without a notice if its sender is deactivated', async () => {
    const person = await newPerson();
    const id = await schedule(person);
    const { kysely } = chat.server.app.db;
    const ofPerson = kysely.updateTable('realm_user').where('id', '=', person.user.id);
    await ofPerson.set({ is_active: false }).execute();
    await passDueTime();
    const failures = kysely.selectFrom('scheduled_message').select('failure').where('id', '=', id);
    expect(await failures.execute()).toEqual([{ failure: 'Your account has been deactivated' }]);
    await ofPerson.set({ is_active: true }).execute();
    const { messages } = await person.client.messages.fetch({ anchor: 'newest', num_before: 10 });
    expect(messages).toEqual([]);
  });
});

describe('scheduling a message is refused', () => {
  const add = (fields: Record<string, string>, by = chat.people.hamlet) =>
    refusal(by, 'POST /scheduled_messages', {
      type: 'channel',
      to: String(venice),
      topic: 'x',
      content: 'x',
      scheduled_delivery_timestamp: String(due()),
      ...fields,
    });

  test.each([
    ['for now', { scheduled_delivery_timestamp: '1700000000' }, /must be in the future/],
    ['without content', { content: ' ' }, /must not be empty/],
    ['to an unknown user', { type: 'direct', to: '[999999]' }, /Invalid user ID 999999/],
    ['to nobody', { type: 'direct', to: '[]' }, /must have recipients/],
    ['to a name', { to: '"venice"' }, /to/],
    ['to two channels', { to: '[1,2]' }, /exactly one channel/],
    ['of an unknown type', { type: 'letter' }, /type/],
  ])('%s', async (_title, fields, message) => {
    expect(await add(fields)).toEqual([400, 'BAD_REQUEST', expect.stringMatching(message)]);
  });

  test('to a channel in which the user may not post', async () => {
    const hidden = await addChannel(chat, { name: 'attic', subscribers: [], invite_only: true });
    for (const [to, person] of [
      [hidden, chat.people.hamlet],
      [venice, chat.people.polonius],
    ] as const)
      expect(await add({ to: String(to) }, person)).toEqual([
        400,
        'STREAM_DOES_NOT_EXIST',
        `Channel with ID '${to}' does not exist`,
      ]);
  });

  test('to a channel without a topic', async () => {
    const note = { type: 'channel', to: String(venice), content: 'x' };
    const fields = { ...note, scheduled_delivery_timestamp: String(due()) };
    expect(await refusal(chat.people.hamlet, 'POST /scheduled_messages', fields)).toEqual([
      400,
      'BAD_REQUEST',
      'Missing topic',
    ]);
  });

  test(`beyond ${MAX_SCHEDULED_MESSAGES} messages`, async () => {
    const person = await newPerson();
    const row = { realm_id: chat.realm.id, sender_id: person.user.id, user_ids: [person.user.id] };
    const rest = { client: '', topic: '', content: 'x', rendered_content: '', failure: null };
    await chat.server.app.db.kysely
      .insertInto('scheduled_message')
      .values(
        Array.from({ length: MAX_SCHEDULED_MESSAGES }, () => ({
          ...row,
          ...rest,
          deliver_at: due(),
          read_by_sender: false,
        })),
      )
      .execute();
    await expect(schedule(person)).rejects.toMatchObject({
      message: `You can have at most ${MAX_SCHEDULED_MESSAGES} scheduled messages: remove some first.`,
    });
  });
});

describe('editing a scheduled message', () => {
  test('changes its recipients, topic, content and time', async () => {
    const person = await newPerson();
    const id = await schedule(person);
    const { hamlet } = chat.people;
    const edit = (fields: Record<string, string>) =>
      chat.ask(person, `PATCH /scheduled_messages/${id}`, fields);
    await edit({ type: 'stream', to: String(venice), topic: 'new', content: '**bold**' });
    expect(await listOf(person)).toMatchObject([
      {
        type: 'stream',
        to: venice,
        topic: 'new',
        rendered_content: '<p><strong>bold</strong></p>',
      },
    ]);
    await edit({ topic: 'newer' });
    expect(await listOf(person)).toMatchObject([{ topic: 'newer', content: '**bold**' }]);
    await edit({ type: 'private', to: `[${hamlet.user.id}]` });
    const [edited] = await listOf(person);
    expect(edited).toMatchObject({ type: 'private', to: [hamlet.user.id] });
    expect(edited).not.toHaveProperty('topic');
  });

  test.each([
    [{}, 'Nothing to change'],
    [{ type: 'stream' }, 'Recipient required when updating type of scheduled message.'],
    [
      { type: 'channel', to: '1' },
      'Topic required when updating scheduled message type to channel.',
    ],
    [{ scheduled_delivery_timestamp: '5' }, 'Scheduled delivery time must be in the future.'],
    [{ content: ' ' }, 'Message must not be empty'],
  ])('to %j is refused', async (fields: Record<string, string>, message) => {
    const id = await schedule(chat.people.shiva);
    const route = `PATCH /scheduled_messages/${id}`;
    expect(await refusal(chat.people.shiva, route, fields)).toEqual([400, 'BAD_REQUEST', message]);
  });
});

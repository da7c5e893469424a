import { MAX_REMINDER_NOTE_LENGTH, MAX_REMINDERS, type MessageId } from '@bellhop/protocol';
import type { Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { type Person, startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { addChannel } from '../channels/channels.fixture.ts';
import { listen } from '../queues/listen.fixture.ts';
import { sendReminder } from './send-reminder.ts';

// In the year 2100: no job is due before the test says so.
let now = 4_102_444_800;
let chat: TestChat;
// A job that needs two connections at once fails.
beforeAll(async () => (chat = await startTestChat({ now: () => now, maxConnections: 1 })));
afterAll(() => chat[Symbol.asyncDispose]());

const due = () => now + 3600;
const add = async ({ client }: Person, message_id: MessageId, note?: string) =>
  (
    await client.reminders.add({
      message_id,
      scheduled_delivery_timestamp: due(),
      ...(note !== undefined && { note }),
    })
  ).reminder_id;
const noteTo = async ({ client, user }: Person, content = 'a note') =>
  (await client.messages.send({ type: 'direct', to: [user.id], content })).id;
const listOf = async ({ client }: Person) => (await client.reminders.list({})).reminders;

interface JobTables {
  job: { name: string; state: string; due_at: Date };
}
/** Lets an hour pass. Resolves when every reminder that is due has been sent. */
async function passHour(): Promise<void> {
  now += 3600;
  const jobs = chat.server.app.db.kysely as unknown as Kysely<JobTables>;
  const all = jobs.updateTable('job').set({ due_at: new Date(0) });
  await all.where('name', '=', sendReminder.name).where('state', '=', 'queued').execute();
  await vi.waitFor(async () => {
    const mine = jobs.selectFrom('job').select('name').where('name', '=', sendReminder.name);
    expect(await mine.where('state', 'in', ['queued', 'running']).execute()).toEqual([]);
  }, 15_000);
}

describe('a reminder', () => {
  test('is sent by the notification bot when it is due, and leaves the list', async () => {
    const { hamlet, cordelia } = chat.people;
    const venice = await addChannel(chat, { name: 'venice', subscribers: [hamlet, cordelia] });
    const place = { type: 'channel', to: venice, topic: 'plans' } as const;
    const { id } = await cordelia.client.messages.send({ ...place, content: '**off** @**all**' });
    const reminder_id = await add(hamlet, id, ' pack the bags\nand go ');
    expect(await listOf(hamlet)).toMatchObject([
      {
        reminder_id,
        type: 'private',
        to: [hamlet.user.id],
        scheduled_delivery_timestamp: due(),
        failed: false,
        reminder_target_message_id: id,
      },
    ]);
    const queues = [
      await listen(hamlet, { apply_markdown: true }),
      await listen(cordelia),
    ] as const;
    await passHour();
    const [message, removed] = await queues[0].all();
    expect(message).toMatchObject({
      type: 'message',
      flags: [],
      message: { sender_full_name: 'Notification Bot', type: 'private' },
    });
    const text = JSON.stringify(message);
    for (const part of [
      'pack the bags',
      'and go',
      '<strong>off</strong>',
      'Cordelia',
      `/near/${id}`,
    ])
      expect(text).toContain(part);
    expect(removed).toMatchObject({ type: 'reminders', op: 'remove', reminder_id });
    expect(await queues[1].all()).toEqual([]);
    expect(await listOf(hamlet)).toEqual([]);
  });

  test('is sent once by two nodes and by repeated jobs', async () => {
    const { iago } = chat.people;
    await chat.anotherNode();
    const payload = { realm_id: chat.realm.id, id: await add(iago, await noteTo(iago)) };
    await chat.server.app.change(chat.realm, ({ enqueueAll }) =>
      enqueueAll(sendReminder, [payload, payload]),
    );
    await passHour();
    const { messages } = await iago.client.messages.fetch({ anchor: 'newest', num_before: 10 });
    const reminders = messages.filter((one) => one.sender_full_name === 'Notification Bot');
    expect(reminders).toHaveLength(1);
    expect(await listOf(iago)).toEqual([]);
  });

  test('that is deleted leaves no job behind', async () => {
    const { cordelia } = chat.people;
    const reminder_id = await add(cordelia, await noteTo(cordelia));
    await cordelia.client.reminders.remove({ reminder_id });
    const jobs = chat.server.app.db.kysely as unknown as Kysely<JobTables>;
    const waiting = jobs.selectFrom('job').select('due_at').where('name', '=', sendReminder.name);
    expect(await waiting.where('state', '=', 'queued').execute()).toEqual([]);
  });

  test('of a deleted message quotes the text that the user could read', async () => {
    const { desdemona } = chat.people;
    const id = await noteTo(desdemona, 'the old text');
    await add(desdemona, id);
    await desdemona.client.messages.remove({ message_id: id });
    const queue = await listen(desdemona);
    await passHour();
    expect(JSON.stringify(await queue.messages())).toContain('the old text');
  });

  test('of a deactivated user is not sent', async () => {
    const person = await chat.addPerson('leaver');
    await add(person, await noteTo(person));
    const { kysely } = chat.server.app.db;
    const ofPerson = kysely.updateTable('realm_user').where('id', '=', person.user.id);
    await ofPerson.set({ is_active: false }).execute();
    await passHour();
    await ofPerson.set({ is_active: true }).execute();
    expect(await listOf(person)).toMatchObject([{ failed: true }]);
  });

  test('that the server could not send is marked as failed, in the list and in events', async () => {
    const person = await chat.addPerson('forgetful');
    const id = await add(person, await noteTo(person));
    const queue = await listen(person);
    const payload = { realm_id: chat.realm.id, id };
    const dead = { jobId: '', payload, reason: 'an internal error' };
    const { app } = chat.server;
    await app.db.transaction((tx) => sendReminder.onDead?.(tx, dead, app) ?? Promise.reject());
    const reminders = await listOf(person);
    expect(reminders).toMatchObject([{ failed: true }]);
    expect(await queue.events('reminders')).toMatchObject([
      { op: 'remove', reminder_id: id },
      { op: 'add', reminders },
    ]);
  });

  test('of another user is answered like a missing one: 404 with BAD_REQUEST', async () => {
    const { shiva, cordelia } = chat.people;
    const id = await add(shiva, await noteTo(shiva));
    for (const path of [id, 999_999]) {
      const { status, body } = await chat.ask(cordelia, `DELETE /reminders/${path}`);
      expect([status, body]).toMatchObject([
        404,
        { code: 'BAD_REQUEST', msg: 'Reminder does not exist' },
      ]);
    }
    await shiva.client.reminders.remove({ reminder_id: id });
    expect(await listOf(shiva)).toEqual([]);
  });
});

describe('adding a reminder is refused', () => {
  const refusal = async (person: Person, fields: Record<string, string>) => {
    const time = { scheduled_delivery_timestamp: String(due()) };
    const { body } = await chat.ask(person, 'POST /reminders', { ...time, ...fields });
    return [body['code'], body['msg']];
  };

  test('for a message that is missing or hidden from the user', async () => {
    const hidden = await noteTo(chat.people.hamlet);
    for (const id of [hidden, 999_999])
      expect(await refusal(chat.people.cordelia, { message_id: String(id) })).toEqual([
        'BAD_REQUEST',
        'Invalid message(s)',
      ]);
  });

  test('for a time that is not in the future, and with a note that is too long', async () => {
    const { hamlet } = chat.people;
    const message_id = String(await noteTo(hamlet));
    expect(
      await refusal(hamlet, { message_id, scheduled_delivery_timestamp: String(now) }),
    ).toEqual(['BAD_REQUEST', 'Scheduled delivery time must be in the future.']);
    const note = 'x'.repeat(MAX_REMINDER_NOTE_LENGTH + 1);
    expect(await refusal(hamlet, { message_id, note })).toMatchObject(['BAD_REQUEST', /note/]);
  });

  test(`beyond ${MAX_REMINDERS} reminders`, async () => {
    const { polonius } = chat.people;
    const message_id = await noteTo(polonius);
    const row = { realm_id: chat.realm.id, user_id: polonius.user.id, message_id, note: '' };
    const rest = { content: 'x', rendered_content: 'x', deliver_at: due() };
    await chat.server.app.db.kysely
      .insertInto('reminder')
      .values(Array.from({ length: MAX_REMINDERS }, () => ({ ...row, ...rest })))
      .execute();
    expect(await refusal(polonius, { message_id: String(message_id) })).toEqual([
      'BAD_REQUEST',
      `You can have at most ${MAX_REMINDERS} reminders: remove some first.`,
    ]);
  });
});

import type { MessageId } from '@bellhop/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { expectRefused } from '../../../expect-refused.fixture.ts';
import { runQueuedJobs } from '../../../run-queued-jobs.fixture.ts';
import { type Person, startTestChat, type TestChat } from '../../../test-chat.fixture.ts';
import {
  addChannel,
  firstMessageOf,
  setChannel,
  subscribe,
} from '../../channels/channels.fixture.ts';
import { listen } from '../../queues/listen.fixture.ts';
import { resetRealmSettings } from '../../realms/realm-settings.fixture.ts';
import { checkFirstMessage } from '../update-first-messages.ts';

let chat: TestChat;
let now = 1_800_000_000;
beforeAll(async () => {
  chat = await startTestChat({ now: () => now });
  const { hamlet, cordelia, iago, polonius } = chat.people;
  await addChannel(chat, { name: 'Denmark', subscribers: [hamlet, cordelia, iago, polonius] });
});
beforeEach(async () => {
  await resetRealmSettings(chat, {});
  await setChannel(chat, 'Denmark', {
    can_delete_any_message_group: 'role:nobody',
    can_delete_own_message_group: 'role:nobody',
  });
});
afterAll(() => chat[Symbol.asyncDispose]());

const send = async (from: Pick<Person, 'client'>, to = 'Denmark') =>
  (await from.client.messages.send({ type: 'channel', to, topic: 'plans', content: 'x' })).id;
const direct = async (from: Person, ...others: Person[]) => {
  const to = others.map(({ user }) => user.id);
  return (await from.client.messages.send({ type: 'direct', to, content: 'psst' })).id;
};
const remove = (by: Person, id: MessageId) => chat.ask(by, `DELETE /messages/${id}`);
const refused = async (by: Person, id: MessageId, msg: RegExp) =>
  expect((await expectRefused(remove(by, id), 'BAD_REQUEST'))['msg']).toMatch(msg);
const removed = async (by: Person, id: MessageId) =>
  expect((await remove(by, id)).body).toEqual({ result: 'success', msg: '' });
const PERMISSION = /permission to delete/;

describe('DELETE /messages/{id}', () => {
  test('removes the message for every recipient', async () => {
    const { hamlet, cordelia } = chat.people;
    const id = await send(hamlet);
    await cordelia.client.messages.setFlag({ messages: [id], op: 'add', flag: 'starred' });
    await removed(hamlet, id);
    for (const one of [hamlet, cordelia])
      await expect(one.client.messages.fetchOne({ message_id: id })).rejects.toThrow(
        'Invalid message(s)',
      );
    for (const table of ['user_message', 'message'] as const) {
      const column = table === 'message' ? 'message.id' : 'user_message.message_id';
      const rows = chat.server.app.db.kysely.selectFrom(table).selectAll();
      expect(await rows.where(column as 'realm_id', '=', id as never).execute()).toEqual([]);
    }
    await refused(hamlet, id, /^Invalid message\(s\)$/);
  });

  test('two concurrent deletions: one succeeds, the other gets 400', async () => {
    const { hamlet, iago } = chat.people;
    const id = await send(hamlet);
    const answers = await Promise.all([remove(hamlet, id), remove(iago, id)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
  });

  test('deleting the first message of a channel updates first_message_id', async () => {
    const { hamlet, shiva } = chat.people;
    await addChannel(chat, { name: 'Short', subscribers: [hamlet] });
    const [first, second] = [await send(hamlet, 'Short'), await send(hamlet, 'Short')];
    const queue = await listen(shiva);
    await removed(hamlet, second);
    expect(await queue.events('stream')).toEqual([]);
    const third = await send(hamlet, 'Short');
    await removed(hamlet, first);
    await removed(hamlet, third);
    const update = { op: 'update', name: 'Short', property: 'first_message_id' };
    expect(await queue.events('stream')).toMatchObject([
      { ...update, value: third },
      { ...update, value: null },
    ]);
    const { streams } = await hamlet.client.channels.list();
    expect(streams.find(({ name }) => name === 'Short')?.first_message_id).toBeNull();
  });
});

describe('permission to delete a message', () => {
  test('a message that was being sent while the last one of its channel was deleted becomes first_message_id', async () => {
    const { hamlet } = chat.people;
    const id = await addChannel(chat, { name: 'Race', subscribers: [hamlet] });
    await removed(hamlet, await send(hamlet, 'Race'));
    const sent = await send(hamlet, 'Race');
    // A message that was sent before the commit of the deletion leaves the channel without a first one.
    const { kysely } = chat.server.app.db;
    await kysely
      .updateTable('channel')
      .set({ first_message_id: null })
      .where('id', '=', id)
      .execute();
    const queue = await listen(hamlet);
    await runQueuedJobs(chat, checkFirstMessage.name);
    expect(await firstMessageOf(chat, id)).toBe(sent);
    expect(await queue.events('stream')).toMatchObject([
      { op: 'update', property: 'first_message_id', value: sent },
    ]);
  });

  test('administrators may delete every message they can read, other users only their own', async () => {
    const { hamlet, cordelia, iago, desdemona, shiva } = chat.people;
    const id = await send(hamlet);
    for (const other of [cordelia, shiva]) await refused(other, id, PERMISSION);
    await removed(iago, id);
    await removed(desdemona, await send(hamlet));
    await removed(hamlet, await direct(hamlet, cordelia));
    await refused(iago, await direct(hamlet, cordelia), /^Invalid message\(s\)$/);
    await refused(cordelia, await direct(hamlet, cordelia), PERMISSION);
  });

  test('the time limit applies to users who delete their own messages, not to administrators', async () => {
    const { hamlet, iago } = chat.people;
    const [one, other, third] = [await send(hamlet), await send(hamlet), await send(hamlet)];
    now += 600;
    await removed(hamlet, one);
    now += 1;
    await refused(hamlet, other, /time limit/);
    await resetRealmSettings(chat, { message_content_delete_limit_seconds: null });
    await removed(hamlet, other);
    await resetRealmSettings(chat, {});
    await removed(iago, third);
  });

  test('can_delete_own_message_group of the realm or the channel permits deleting own messages', async () => {
    const { hamlet, cordelia } = chat.people;
    const [one, other] = [await send(hamlet), await direct(hamlet, cordelia)];
    await resetRealmSettings(chat, {}, { can_delete_own_message_group: 'role:moderators' });
    await refused(hamlet, one, PERMISSION);
    await refused(hamlet, other, PERMISSION);
    await setChannel(chat, 'Denmark', { can_delete_own_message_group: 'role:members' });
    await removed(hamlet, one);
    await refused(hamlet, other, PERMISSION);
  });

  test('can_delete_any_message_group of the realm or the channel permits deleting any message of any age', async () => {
    const { hamlet, cordelia, polonius } = chat.people;
    const [one, other] = [await send(hamlet), await send(hamlet)];
    now += 10_000;
    await setChannel(chat, 'Denmark', { can_delete_any_message_group: 'role:members' });
    await refused(polonius, one, PERMISSION);
    await removed(cordelia, one);
    await setChannel(chat, 'Denmark', { can_delete_any_message_group: 'role:nobody' });
    await refused(cordelia, other, PERMISSION);
    await resetRealmSettings(chat, {}, { can_delete_any_message_group: 'role:everyone' });
    await refused(polonius, other, PERMISSION);
    await removed(cordelia, other);
  });

  test('owners may delete messages of their bots', async () => {
    const { hamlet, cordelia } = chat.people;
    const bot = await hamlet.client.bots.create({ full_name: 'Echo', short_name: 'echo' });
    const { bots } = await hamlet.client.bots.list();
    const email = bots.find(({ full_name }) => full_name === 'Echo')?.username ?? '';
    const asBot = { email, api_key: bot.api_key } as Person;
    const say = async () => {
      const message = { type: 'channel', to: 'Denmark', topic: 't', content: 'echo' };
      return (await chat.ask(asBot, 'POST /messages', message)).body['id'] as MessageId;
    };
    const [one, other] = [await say(), await say()];
    await refused(cordelia, one, PERMISSION);
    await removed(hamlet, one);
    await removed(asBot, other);
  });

  test('messages of an archived or unreadable channel cannot be deleted', async () => {
    const { hamlet, iago, cordelia } = chat.people;
    await addChannel(chat, { name: 'Cellar', subscribers: [hamlet], invite_only: true });
    const id = await send(hamlet, 'Cellar');
    await refused(iago, id, /^Invalid message\(s\)$/);
    await chat.server.app.db.kysely
      .updateTable('channel')
      .set({ is_archived: true })
      .where('name', '=', 'Cellar')
      .execute();
    await refused(hamlet, id, /archived/);
    await refused(cordelia, 999_999 as MessageId, /^Invalid message\(s\)$/);
  });
});

describe('the delete_message event', () => {
  test('goes to the readers of a channel message, in the format of each client', async () => {
    const { hamlet, cordelia, iago, polonius, shiva, desdemona } = chat.people;
    const to = { type: 'channel', to: 'Denmark', topic: '', content: 'x' } as const;
    const { id } = await hamlet.client.messages.send(to);
    const { message } = await hamlet.client.messages.fetchOne({ message_id: id });
    await subscribe(chat, message.stream_id as never, shiva.user.id);
    const bulk = { bulk_message_deletion: true, empty_topic_name: true };
    const queues = await Promise.all([
      listen(cordelia, { client_capabilities: bulk }),
      listen(polonius),
      listen(shiva, { client_capabilities: { bulk_message_deletion: true } }),
      listen(desdemona),
    ]);
    await removed(iago, id);
    const told = await Promise.all(queues.map((queue) => queue.events('delete_message')));
    const { stream_id } = message;
    const base = { type: 'delete_message', message_type: 'stream', stream_id };
    const eventId = { id: expect.any(Number) };
    expect(told).toEqual([
      [{ ...base, ...eventId, topic: '', message_ids: [id] }],
      [{ ...base, ...eventId, topic: 'general chat', message_id: id }],
      [{ ...base, ...eventId, topic: 'general chat', message_ids: [id] }],
      [],
    ]);
  });

  test('goes to the participants of a direct message', async () => {
    const { hamlet, cordelia, iago } = chat.people;
    const id = await direct(hamlet, cordelia);
    const queues = await Promise.all([hamlet, cordelia, iago].map((one) => listen(one)));
    await removed(hamlet, id);
    const told = await Promise.all(queues.map((queue) => queue.events('delete_message')));
    const event = {
      id: expect.any(Number),
      type: 'delete_message',
      message_type: 'private',
      message_id: id,
    };
    expect(told).toEqual([[event], [event], []]);
  });
});

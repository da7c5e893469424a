import { MAX_SUBMESSAGES_LENGTH, type MessageId } from '@bellhop/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type Person, startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { addChannel, subscribe } from '../channels/channels.fixture.ts';
import { listen } from '../queues/listen.fixture.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startTestChat();
  const { hamlet, iago, polonius } = chat.people;
  await addChannel(chat, { name: 'Denmark', subscribers: [hamlet, iago, polonius] });
});
afterAll(() => chat[Symbol.asyncDispose]());

/** Sends a message from Hamlet, by default to Denmark. */
async function said(content: string, more: { to?: number[]; widget_content?: string } = {}) {
  const place = more.to ? { type: 'direct' } : { type: 'channel', to: 'Denmark', topic: 'x' };
  const sent = { ...place, ...more, content } as never;
  return (await chat.people.hamlet.client.messages.send(sent)).id;
}
const submessagesOf = async (by: Person, message_id: MessageId) =>
  (await by.client.messages.fetchOne({ message_id })).message.submessages;
const part = (by: Person, message_id: MessageId, content: unknown, msg_type = 'widget') =>
  by.client.submessages.add({
    message_id,
    msg_type,
    content: typeof content === 'string' ? content : JSON.stringify(content),
  });
const refusal = (message: unknown) => ({ code: 'BAD_REQUEST', message });
const vote = { type: 'vote', key: 'canned,0', vote: 1 };

describe('a widget', () => {
  test('is the first submessage of its message and part of the message event', async () => {
    const { hamlet, iago } = chat.people;
    const queue = await listen(iago, { fetch_event_types: [] });
    const id = await said('/poll Tea?\nyes\nno');
    const widget = {
      widget_type: 'poll',
      extra_data: { question: 'Tea?', options: ['yes', 'no'] },
    };
    const expected = {
      id: expect.any(Number) as number,
      message_id: id,
      sender_id: hamlet.user.id,
      msg_type: 'widget',
      content: expect.any(String) as string,
    };
    const [fetched, ...more] = await submessagesOf(iago, id);
    expect(fetched).toEqual(expected);
    expect(more).toEqual([]);
    expect(JSON.parse(fetched?.content ?? '')).toEqual(widget);
    const { messages } = await iago.client.messages.fetch({ message_ids: [id] });
    expect(messages[0]?.submessages).toEqual([fetched]);
    expect(await queue.messages()).toMatchObject([{ message: { id, submessages: [fetched] } }]);
    const { message } = await hamlet.client.messages.fetchOne({ message_id: id });
    expect(message.content).toBe('<p>/poll Tea?<br>\nyes<br>\nno</p>');
  });

  test('may be sent with any text, also in a direct message', async () => {
    const { iago } = chat.people;
    const zform = {
      widget_type: 'zform',
      extra_data: { type: 'choices', heading: 'Pick', choices: [] },
    };
    const widget_content = JSON.stringify(zform);
    const id = await said('Pick one', { to: [iago.user.id], widget_content });
    const [widget] = await submessagesOf(iago, id);
    expect(JSON.parse(widget?.content ?? '')).toEqual(zform);
  });

  test('is not created by an ordinary message', async () => {
    expect(await submessagesOf(chat.people.hamlet, await said('/me polls'))).toEqual([]);
  });

  test('is not created for a rejected message', async () => {
    const { kysely } = chat.server.app.db;
    const rows = () => kysely.selectFrom('submessage').select('id').execute();
    const before = await rows();
    await expect(said('/poll', { to: [999_999] })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    expect(await rows()).toEqual(before);
  });

  test('keeps the content of its message: an edit is rejected', async () => {
    const { hamlet } = chat.people;
    for (const [content, refused] of [
      ['/poll', true],
      ['hello', false],
    ] as const) {
      const edit = { message_id: await said(content), content: '/poll another' };
      const answer = hamlet.client.messages.edit(edit);
      if (refused) await expect(answer).rejects.toMatchObject(refusal('Widgets cannot be edited.'));
      else await answer;
      expect(await submessagesOf(hamlet, edit.message_id)).toHaveLength(refused ? 1 : 0);
    }
  });

  test('that is a form goes with an edit of its message by the sender', async () => {
    const { hamlet, iago } = chat.people;
    const extra_data = { type: 'choices', heading: 'Pick', choices: [] };
    const widget_content = JSON.stringify({ widget_type: 'zform', extra_data });
    const message_id = await said('Pick one', { to: [iago.user.id], widget_content });
    const content = 'Pick one: Iago took tea';
    const byOther = iago.client.messages.edit({ message_id, content });
    await expect(byOther).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    expect(await submessagesOf(iago, message_id)).toHaveLength(1);
    await hamlet.client.messages.edit({ message_id, content });
    expect(await submessagesOf(iago, message_id)).toEqual([]);
    await expect(part(iago, message_id, {})).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  test('is deleted with its message', async () => {
    const { desdemona } = chat.people;
    const id = await said('/poll');
    const { kysely } = chat.server.app.db;
    await desdemona.client.messages.remove({ message_id: id });
    const left = kysely.selectFrom('submessage').selectAll().where('message_id', '=', id);
    expect(await left.execute()).toEqual([]);
  });
});

describe('a submessage', () => {
  test('is stored, and its event goes to the readers of the message', async () => {
    const { hamlet, iago, polonius, cordelia } = chat.people;
    const id = await said('/poll Tea?\nyes');
    const inside = await Promise.all([hamlet, iago, polonius].map((one) => listen(one)));
    const outside = await listen(cordelia);
    await part(iago, id, vote);
    await part(polonius, id, { type: 'new_option', idx: 0, option: 'perhaps' });
    const [, first, second, ...more] = await submessagesOf(hamlet, id);
    expect(more).toEqual([]);
    expect(first).toMatchObject({ sender_id: iago.user.id, msg_type: 'widget' });
    expect(JSON.parse(first?.content ?? '')).toEqual(vote);
    expect(second?.sender_id).toBe(polonius.user.id);
    const { id: submessage_id, ...rest } = first ?? { id: 0 };
    const event = { id: expect.any(Number), type: 'submessage', submessage_id, ...rest };
    for (const queue of inside)
      expect(await queue.events('submessage')).toEqual([event, expect.anything()]);
    expect(await outside.events('submessage')).toEqual([]);
  });

  test.each([
    ['/poll', vote],
    ['/poll', { ...vote, vote: -1 }],
    ['/poll', { type: 'new_option', idx: 1000, option: '' }],
    ['/todo', { type: 'new_task', key: 0, task: 'a', desc: '', completed: false }],
    ['/todo', { type: 'strike', key: '0,7' }],
  ])('in a %s is accepted: %j', async (content, value) => {
    const { iago } = chat.people;
    const id = await said(content);
    await part(iago, id, value);
    expect(await submessagesOf(iago, id)).toHaveLength(2);
  });

  test.each([
    ['/poll', { ...vote, vote: 2 }],
    ['/poll', { ...vote, vote: '1' }],
    ['/poll', { ...vote, more: 1 }],
    ['/poll', { type: 'vote' }],
    ['/poll', { type: 'new_option', idx: 1001, option: 'x' }],
    ['/poll', { type: 'new_option', idx: -1, option: 'x' }],
    ['/poll', { type: 'strike', key: '0' }],
    ['/poll', {}],
    ['/poll', []],
    ['/poll', 5],
    ['/todo', { type: 'new_task', key: 0, task: 'a', desc: '' }],
    ['/todo', { type: 'new_task', key: 'x', task: 'a', desc: '', completed: false }],
    ['/todo', vote],
  ])('in a %s is rejected: %j', async (content, value) => {
    const id = await said(content);
    await expect(part(chat.people.iago, id, value)).rejects.toMatchObject(
      refusal(expect.stringContaining('content: ')),
    );
    expect(await submessagesOf(chat.people.iago, id)).toHaveLength(1);
  });

  test.each([
    ['/poll', { type: 'question', question: 'Coffee?' }],
    ['/todo', { type: 'new_task_list_title', title: 'Tomorrow' }],
  ])('in a %s is accepted only from the author: %j', async (content, value) => {
    const { hamlet, iago } = chat.people;
    const id = await said(content);
    await expect(part(iago, id, value)).rejects.toMatchObject(
      refusal(expect.stringContaining('Only the author')),
    );
    await part(hamlet, id, value);
    expect(await submessagesOf(iago, id)).toHaveLength(2);
  });

  test('with invalid JSON or too long is rejected', async () => {
    const id = await said('/poll');
    const { iago } = chat.people;
    for (const content of ['', 'x', '{"type":'])
      await expect(part(iago, id, content)).rejects.toMatchObject(
        refusal('Invalid json for submessage'),
      );
    const option = 'x'.repeat(10_000);
    await expect(part(iago, id, { type: 'new_option', idx: 0, option })).rejects.toMatchObject(
      refusal(expect.stringContaining('<=10000 characters')),
    );
  });

  test(`is rejected in a message that has ${MAX_SUBMESSAGES_LENGTH} characters of them`, async () => {
    const { hamlet, iago } = chat.people;
    const id = await said('a long game');
    await part(hamlet, id, { game: 'chess' }, 'game');
    await chat.server.app.db.kysely
      .updateTable('submessage')
      .set({ content: 'x'.repeat(MAX_SUBMESSAGES_LENGTH - 1) })
      .where('message_id', '=', id)
      .execute();
    await part(iago, id, '1', 'move');
    await expect(part(iago, id, '1', 'move')).rejects.toMatchObject(
      refusal('This message has no room for another submessage.'),
    );
  });

  test('of any type is accepted in a message without a widget after one from its author', async () => {
    const { hamlet, iago } = chat.people;
    const id = await said('a game');
    await expect(part(iago, id, { move: 'e4' })).rejects.toMatchObject(
      refusal('You cannot attach a submessage to this message.'),
    );
    await part(hamlet, id, { game: 'chess' }, 'game');
    await part(iago, id, { move: 'e4' }, 'move');
    expect((await submessagesOf(iago, id)).map(({ msg_type }) => msg_type)).toEqual([
      'game',
      'move',
    ]);
  });

  test('is rejected for an unreadable message', async () => {
    const { iago, cordelia } = chat.people;
    const direct = await said('/poll', { to: [iago.user.id] });
    const outOfReach = refusal('Invalid message(s)');
    for (const id of [direct, 999_999 as MessageId])
      await expect(part(cordelia, id, vote)).rejects.toMatchObject(outOfReach);
    await part(iago, direct, vote);
  });

  test('in a channel without shared history sends no event to users who subscribed later', async () => {
    const { hamlet, cordelia } = chat.people;
    const settings = { invite_only: true, history_public_to_subscribers: false };
    const channel = await addChannel(chat, { name: 'plot', subscribers: [hamlet], ...settings });
    const { id } = await hamlet.client.messages.send({
      type: 'channel',
      to: 'plot',
      topic: 'x',
      content: '/poll',
    });
    await subscribe(chat, channel, cordelia.user.id);
    const late = await listen(cordelia);
    await part(hamlet, id, vote);
    expect(await late.events('submessage')).toEqual([]);
  });
});

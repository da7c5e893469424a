import type { MessageFlag, MessageId } from '@bellhop/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { expectRefused } from '../../../expect-refused.fixture.ts';
import { type Person, startTestChat, type TestChat } from '../../../test-chat.fixture.ts';
import { addChannel } from '../../channels/channels.fixture.ts';
import { listen } from '../../queues/listen.fixture.ts';

let chat: TestChat;
/** Five messages in one topic of `denmark`, unread for Cordelia, and one in `forum`. */
let ids: MessageId[];
let elsewhere: MessageId;
beforeAll(async () => {
  chat = await startTestChat();
  const { hamlet, cordelia } = chat.people;
  await addChannel(chat, { name: 'denmark', subscribers: [hamlet, cordelia] });
  await addChannel(chat, { name: 'forum', subscribers: [hamlet] });
  const send = async (to: string) =>
    (await hamlet.client.messages.send({ type: 'channel', to, topic: 'news', content: 'x' })).id;
  ids = [];
  for (let count = 0; count < 5; count++) ids.push(await send('denmark'));
  elsewhere = await send('forum');
});
beforeEach(async () => {
  for (const flag of ['read', 'starred'] as const)
    await chat.people.cordelia.client.messages.setFlag({ messages: ids, op: 'remove', flag });
});
afterAll(() => chat[Symbol.asyncDispose]());

const denmark = [{ operator: 'channel', operand: 'denmark' }];
type Fields = Parameters<Person['client']['messages']['setFlagInNarrow']>[0];
const change = (fields: Partial<Fields>) =>
  chat.people.cordelia.client.messages.setFlagInNarrow({
    anchor: 'newest',
    num_before: 0,
    num_after: 0,
    narrow: denmark,
    op: 'add',
    flag: 'read',
    ...fields,
  });
const withFlag = async (flag: MessageFlag, narrow = denmark) => {
  const ask = { anchor: 'newest', num_before: 9, narrow };
  const { messages } = await chat.people.cordelia.client.messages.fetch(ask);
  return messages.filter(({ flags }) => flags.includes(flag)).map(({ id }) => id);
};

describe('POST /messages/flags/narrow', () => {
  const at = (index: number) => ids[index] ?? (0 as MessageId);

  test.each<[string, Partial<Fields>, number[], { oldest: boolean; newest: boolean }]>([
    ['newest', { num_before: 2 }, [3, 4], { oldest: false, newest: true }],
    ['newest', { num_before: 9 }, [0, 1, 2, 3, 4], { oldest: true, newest: true }],
    ['oldest', { num_after: 2 }, [0, 1], { oldest: true, newest: false }],
    ['first_unread', { num_after: 1 }, [0, 1], { oldest: false, newest: false }],
    ['2', { num_before: 1, num_after: 1 }, [1, 2, 3], { oldest: false, newest: false }],
    ['2', { num_before: 9, num_after: 1 }, [0, 1, 2, 3], { oldest: true, newest: false }],
    ['2', { num_after: 2, include_anchor: false }, [3, 4], { oldest: false, newest: false }],
    ['2', { num_before: 3, include_anchor: false }, [0, 1], { oldest: true, newest: false }],
    ['2', {}, [2], { oldest: false, newest: false }],
  ])('around the anchor %s with %o changes the messages %o', async (anchor, range, some, found) => {
    const id = /^\d$/.test(anchor) ? String(at(Number(anchor))) : anchor;
    const result = await change({ ...range, anchor: id });
    const changed = some.map(at);
    expect(result).toEqual({
      processed_count: changed.length,
      updated_count: changed.length,
      first_processed_id: changed[0],
      last_processed_id: changed.at(-1),
      found_oldest: found.oldest,
      found_newest: found.newest,
    });
    expect(await withFlag('read')).toEqual(changed);
  });

  test('first_unread without an unread message is the newest one', async () => {
    await change({ num_before: 9 });
    const result = await change({ anchor: 'first_unread', num_before: 1, num_after: 1 });
    expect(result).toMatchObject({ first_processed_id: at(4), processed_count: 1 });
  });

  test('an empty range has no first and last message', async () => {
    expect(await change({ anchor: 'oldest', num_before: 5 })).toEqual({
      processed_count: 0,
      updated_count: 0,
      first_processed_id: null,
      last_processed_id: null,
      found_oldest: true,
      found_newest: false,
    });
  });

  test('messages that have the flag already are processed, not updated', async () => {
    await change({ anchor: at(1), flag: 'starred' });
    const queue = await listen(chat.people.cordelia);
    const result = await change({ num_before: 9, flag: 'starred' });
    expect(result).toMatchObject({ processed_count: 5, updated_count: 4 });
    expect(await queue.all()).toMatchObject([
      { op: 'add', flag: 'starred', messages: ids.filter((id) => id !== at(1)) },
    ]);
  });

  test('counts beyond the limit are lowered, not refused', async () => {
    const result = await change({ anchor: at(2), num_before: 1_000_000, num_after: 1_000_000 });
    expect(result).toMatchObject({ processed_count: 5, found_oldest: true, found_newest: true });
  });

  test('excluding an anchor in the middle of the range is refused', async () => {
    const range = { num_before: 1, num_after: 1, include_anchor: false };
    await expect(change({ anchor: at(2), ...range })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
  });

  test('an anchor that is no number and no name is refused', async () => {
    await expect(change({ anchor: 'soon' })).rejects.toMatchObject({ message: 'Invalid anchor' });
  });

  test.each(['anchor', 'num_before', 'num_after', 'op', 'flag'])('%s is required', async (name) => {
    const all = { anchor: 'newest', num_before: '1', num_after: '1', op: 'add', flag: 'read' };
    const { [name as 'anchor']: _, ...fields } = all;
    const body = await expectRefused(
      chat.ask(chat.people.cordelia, 'POST /messages/flags/narrow', fields),
      'REQUEST_VARIABLE_MISSING',
    );
    expect(body['var_name']).toBe(name);
  });

  test('stars channel history that the user never received, as historical messages', async () => {
    const narrow = [{ operator: 'channel', operand: 'forum' }];
    const result = await change({ narrow, num_before: 9, flag: 'starred' });
    expect(result).toMatchObject({ processed_count: 1, updated_count: 1 });
    expect(await withFlag('starred', narrow)).toEqual([elsewhere]);
    expect(await withFlag('historical', narrow)).toEqual([elsewhere]);
  });

  test('marking as unread skips channels without a subscription and names them', async () => {
    const { stream_id } = await chat.people.hamlet.client.channels.id({ stream: 'forum' });
    const narrow = [{ operator: 'channel', operand: 'forum' }];
    const result = await change({ narrow, num_before: 9, op: 'remove' });
    expect(result).toMatchObject({
      processed_count: 1,
      updated_count: 0,
      ignored_because_not_subscribed_channels: [stream_id],
    });
  });
});

import { MessageId } from '@bellhop/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { addChannel } from '../../../resources/channels/channels.fixture.ts';
import { startTestChat, type TestChat } from '../../../test-chat.fixture.ts';

let chat: TestChat;
/** The ids of the messages by their contents: `a0` to `a5` and `b0` to `b5` by turns, then `d0` to `d2`. */
const ids = new Map<string, number>();
const READ = ['a0', 'a1', 'a2', 'a4', 'b0', 'd0', 'd1'];
/** Unread messages of the channel with a row of `user_message`; the others have none. */
const STARRED = ['a3', 'a5', 'b2'];

beforeAll(async () => {
  chat = await startTestChat();
  const { hamlet, cordelia } = chat.people;
  const subscribers = [hamlet, cordelia];
  await addChannel(chat, { name: 'stage', subscribers });
  await addChannel(chat, { name: 'closed', subscribers: [hamlet] });
  const { client } = hamlet;
  for (let n = 0; n < 6; n++)
    for (const topic of ['a', 'b']) {
      const content = `${topic}${n}`;
      const message = { type: 'channel', to: 'stage', topic, content } as const;
      ids.set(content, (await client.messages.send(message)).id);
      await client.messages.send({ type: 'direct', to: [chat.people.iago.user.id], content: 'x' });
    }
  await client.messages.send({ type: 'channel', to: 'closed', topic: 'a', content: 'x' });
  for (let n = 0; n < 3; n++) {
    const message = { type: 'direct' as const, to: [cordelia.user.id], content: `d${n}` };
    ids.set(message.content, (await client.messages.send(message)).id);
  }
  const set = (flag: 'read' | 'starred', contents: readonly string[]) =>
    cordelia.client.messages.setFlag({
      messages: contents.map((content) => MessageId.parse(ids.get(content))),
      op: 'add',
      flag,
    });
  await set('read', READ);
  await set('starred', STARRED);
});
afterAll(() => chat[Symbol.asyncDispose]());

const stage = { operator: 'channel', operand: 'stage' };
const topic = (operand: string, negated = false) => ({ operator: 'topic', operand, negated });

test.each([
  ['everywhere', [], 'b1'],
  ['in a channel', [stage], 'b1'],
  ['in a topic with read and unread messages by turns', [stage, topic('A')], 'a3'],
  ['in a channel without a topic', [stage, topic('b', true)], 'a3'],
  ['in a topic without messages', [stage, topic('c')], undefined],
  ['in a topic of every channel', [topic('a')], 'a3'],
  [
    'in a channel the user is not subscribed to',
    [{ operator: 'channel', operand: 'closed' }],
    undefined,
  ],
  ['in a channel with a search', [stage, { operator: 'search', operand: 'a5' }], 'a5'],
  ['in a channel among mentions', [stage, { operator: 'is', operand: 'mentioned' }], undefined],
])('anchor=first_unread finds the oldest unread message %s', async (_place, narrow, expected) => {
  const ask = { anchor: 'first_unread', num_before: 0, num_after: 0, narrow };
  const { messages } = await chat.people.cordelia.client.messages.fetch(ask);
  expect(messages.map(({ id }) => id)).toEqual(expected ? [ids.get(expected)] : []);
});

test('anchor=first_unread finds the oldest unread message of a direct conversation', async () => {
  const { hamlet, cordelia } = chat.people;
  const narrow = [{ operator: 'dm', operand: [hamlet.user.id] }];
  const ask = { anchor: 'first_unread', num_before: 0, num_after: 0, narrow };
  const { messages } = await cordelia.client.messages.fetch(ask);
  expect(messages.map(({ id }) => id)).toEqual([ids.get('d2')]);
});

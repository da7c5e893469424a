import { expect, test } from 'vitest';

import { type Answers, answeredAccount, refusal } from '../../live/answered-account.fixture.ts';
import { message, messageEvent } from '../message.fixture.ts';
import type { Destination } from './destination.ts';
import { outboxOf } from './outbox.ts';

const to: Destination = { type: 'channel', channel: 5, topic: 'news' };

/** What a tab keeps over a reload. */
function storage(kept: Readonly<Record<string, string>> = {}) {
  const items = new Map(Object.entries(kept));
  return {
    items,
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, text: string) => void items.set(key, text),
  };
}

async function opened(answers: Answers = {}, kept = storage()) {
  const server = await answeredAccount(answers, { max_message_id: 40 });
  const outbox = outboxOf(server.account, kept);
  /** The events of messages that are the user's own. */
  const own = (id: number, more: object = {}) =>
    messageEvent(id, { sender_id: server.account.user_id }, more);
  return { ...server, outbox, kept, own };
}

test('a sent message stays in the outbox until the event with its local ID', async () => {
  using server = await opened({ 'POST /messages': () => ({ id: 41 }) });
  const { outbox } = server;
  outbox.send(to, '\n\nhello  \n');
  expect(outbox.unsent.value).toMatchObject([{ content: 'hello', to }]);
  await expect.poll(() => outbox.unsent.value[0]?.id).toBe(41);
  const [{ local_id, queue_id } = {}] = server.calls('POST /messages');
  expect([local_id, queue_id]).toEqual([outbox.unsent.value[0]?.local_id, 'queue 1']);
  await server.happens(server.own(41, { local_message_id: local_id }));
  expect(outbox.unsent.value).toEqual([]);
});

test('a message whose event comes before the answer leaves the outbox with the answer', async () => {
  const { promise, resolve } = Promise.withResolvers<object>();
  using server = await opened({ 'POST /messages': () => promise });
  server.outbox.send(to, 'hello');
  await expect.poll(() => server.calls('POST /messages')).toHaveLength(1);
  await server.happens(server.own(41));
  expect(server.outbox.unsent.value).toHaveLength(1);
  resolve({ id: 41 });
  await expect.poll(() => server.outbox.unsent.value).toEqual([]);
});

test('messages are sent one after the other, in the order in which they were written', async () => {
  const waiting: ((answer: object) => void)[] = [];
  using server = await opened({
    'POST /messages': () => new Promise((resolve) => waiting.push(resolve)),
  });
  server.outbox.send(to, 'first');
  server.outbox.send(to, 'second');
  await expect.poll(() => waiting).toHaveLength(1);
  waiting[0]?.({ id: 41 });
  await expect.poll(() => waiting).toHaveLength(2);
  waiting[1]?.({ id: 42 });
  await expect.poll(() => server.outbox.unsent.value.map(({ id }) => id)).toEqual([41, 42]);
  expect(server.calls('POST /messages').map(({ content }) => content)).toEqual(['first', 'second']);
});

test('a refused message stays with its reason, and retry sends it without looking for it', async () => {
  using server = await opened({ 'POST /messages': () => refusal('STREAM_DOES_NOT_EXIST') });
  const { outbox, answers } = server;
  outbox.send(to, 'hello');
  await expect.poll(() => outbox.unsent.value[0]?.reason).toBe('Refused: STREAM_DOES_NOT_EXIST');
  answers['POST /messages'] = () => ({ id: 41 });
  const [one] = outbox.unsent.value;
  if (one) outbox.retry(one);
  await expect.poll(() => outbox.unsent.value[0]?.id).toBe(41);
  expect(server.calls('GET /messages')).toEqual([]);
});

const page = (...messages: object[]) => ({
  messages,
  found_anchor: false,
  found_oldest: true,
  found_newest: true,
  history_limited: false,
});

test.each([
  ['is not sent again if the server has stored it', page(message(41, { content: 'hello' })), 1],
  [
    'is sent again if only an older one has the same text',
    page(message(40, { content: 'hello' })),
    2,
  ],
])('a message without an answer %s', async (_title, found, times) => {
  using server = await opened({
    'POST /messages': () => {
      throw new Error('no connection');
    },
    'GET /messages': () => found,
  });
  const { outbox, answers } = server;
  outbox.send(to, 'hello');
  await expect.poll(() => outbox.unsent.value[0]?.reason).toMatch(/No answer/);
  answers['POST /messages'] = () => ({ id: 42 });
  const [one] = outbox.unsent.value;
  if (one) outbox.retry(one);
  await expect.poll(() => server.calls('POST /messages')).toHaveLength(times);
  await expect.poll(() => outbox.unsent.value.map(({ id }) => id)).toEqual(times === 1 ? [] : [42]);
});

test('after a new registration, the outbox drops messages that were answered and looks on the server for those that failed', async () => {
  using server = await opened({ 'POST /messages': () => ({ id: 41 }) });
  const { outbox, answers } = server;
  outbox.send(to, 'answered');
  await expect.poll(() => outbox.unsent.value[0]?.id).toBe(41);
  answers['POST /messages'] = () => {
    throw new Error('no connection');
  };
  outbox.send(to, 'stored');
  outbox.send(to, 'lost');
  await expect.poll(() => outbox.unsent.value.filter(({ reason }) => reason)).toHaveLength(2);
  answers['GET /messages'] = () => page(message(42, { content: 'stored' }));
  await server.registersAgain();
  await expect.poll(() => outbox.unsent.value.map(({ content }) => content)).toEqual(['lost']);
});

test('unsent messages are in the outbox after a reload, with a reason; stored data that is no message is dropped', async () => {
  const kept = { content: 'hello', local_id: '1', timestamp: 9, to };
  using first = await answeredAccount();
  const key = `bellhop-console-unsent-${first.account.user_id}`;
  const { unsent } = outboxOf(first.account, storage({ [key]: JSON.stringify([kept]) }));
  expect(unsent.value).toMatchObject([{ content: 'hello', reason: expect.any(String) as string }]);
  using second = await answeredAccount();
  const other = `bellhop-console-unsent-${second.account.user_id}`;
  const empty = outboxOf(second.account, storage({ [other]: '[{"content":7}]' }));
  expect(empty.unsent.value).toEqual([]);
});

test('a message that is discarded is kept nowhere', async () => {
  using server = await opened({ 'POST /messages': () => refusal('BAD_REQUEST') });
  const { outbox, kept } = server;
  outbox.send(to, 'hello');
  await expect.poll(() => outbox.unsent.value[0]?.reason).toBeDefined();
  const [one] = outbox.unsent.value;
  if (one) outbox.discard(one);
  expect(outbox.unsent.value).toEqual([]);
  expect([...kept.items.values()]).toEqual(['[]']);
});

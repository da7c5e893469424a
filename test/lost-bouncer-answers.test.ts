import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';

import { type Phone, type PushStack, startPushStack, watchDevices } from './support/push-stack.ts';

type Someone = PushStack['chat']['people']['hamlet'];

let stack: PushStack;
beforeAll(async () => {
  stack = await startPushStack();
});
afterAll(() => stack[Symbol.asyncDispose]());

let serial = 0;
let reader: Someone;
let phone: Phone;
beforeEach(async () => {
  serial += 1;
  reader = await stack.chat.addPerson(`reader${serial}`);
  phone = stack.newPhone('fcm');
  await activate(reader, phone);
});

/** Registers a phone of a user and waits until it is active. */
async function activate(user: Someone, one: Phone): Promise<void> {
  const devices = await watchDevices(user);
  await user.client.devices.registerPush(one.registration());
  expect(await devices.next()).toMatchObject({ status: 'active' });
}

const db = () => stack.chat.server.app.db.kysely;

/** Waits until no message has to be pushed, also by a retry, which comes at once. */
const ended = () =>
  vi.waitFor(async () => {
    await sql`update job set due_at = now()
      where name = 'push_message' and state = 'queued' and due_at > now()`.execute(db());
    const { rows } = await sql`select from job
      where name = 'push_message' and state in ('queued', 'running')`.execute(db());
    expect(rows).toEqual([]);
  }, 20_000);

const messagesOn = (one: Phone) =>
  one.received().flatMap(({ payload }) => {
    const { type, content } = payload as { type: string; content?: string };
    return type === 'message' ? [content] : [];
  });

const send = async (content: string, ...users: Someone[]) => {
  const to = users.map(({ user }) => user.id);
  return await stack.chat.people.cordelia.client.messages.send({ type: 'direct', to, content });
};

test('a repeated attempt after a lost answer pushes to no phone twice, in the same trace', async () => {
  const iphone = stack.newPhone('apns');
  await activate(reader, iphone);
  const before = stack.traces().length;
  stack.loseAnswers(true);
  try {
    await send('once', reader);
    await vi.waitFor(() => expect(phone.received()).toHaveLength(1), 15_000);
  } finally {
    stack.loseAnswers(false);
  }
  await ended();
  for (const one of [phone, iphone]) expect(messagesOn(one)).toEqual(['once']);
  const traceIds = stack
    .traces()
    .slice(before)
    .map((trace) => trace?.split('-')[1]);
  expect(traceIds.length).toBeGreaterThan(1);
  expect(new Set(traceIds).size).toBe(1);
  expect((await sql`select from push_request`.execute(db())).rows).toEqual([]);
});

test('a repeated attempt after a lost answer reaches a phone that has registered since', async () => {
  stack.loseAnswers(true);
  const iphone = stack.newPhone('apns');
  try {
    await send('late', reader);
    await vi.waitFor(() => expect(phone.received()).toHaveLength(1), 15_000);
    await activate(reader, iphone);
  } finally {
    stack.loseAnswers(false);
  }
  await ended();
  for (const one of [phone, iphone]) expect(messagesOn(one)).toEqual(['late']);
});

test('a repeated attempt after a lost answer leaves out a reader, and pushes to no other twice', async () => {
  const other = await stack.chat.addPerson(`other${serial}`);
  const othersPhone = stack.newPhone('fcm');
  await activate(other, othersPhone);
  stack.loseAnswers(true);
  try {
    const { id } = await send('both', reader, other);
    await vi.waitFor(() => expect(othersPhone.received()).toHaveLength(1), 15_000);
    await reader.client.messages.setFlag({ messages: [id], op: 'add', flag: 'read' });
  } finally {
    stack.loseAnswers(false);
  }
  await ended();
  for (const one of [phone, othersPhone]) expect(messagesOn(one)).toEqual(['both']);
});

import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';

import { type Phone, type PushStack, startPushStack, watchDevices } from './support/push-stack.ts';

let stack: PushStack;
beforeAll(async () => {
  stack = await startPushStack();
});
afterAll(() => stack[Symbol.asyncDispose]());

let reader: PushStack['chat']['people']['hamlet'];
let phones: { readonly [K in 'fcm' | 'apns' | 'webpush']: Phone };
let serial = 0;
beforeEach(async () => {
  reader = await stack.chat.addPerson(`reader${serial++}`);
  phones = {
    fcm: stack.newPhone('fcm'),
    apns: stack.newPhone('apns'),
    webpush: stack.newPhone('webpush'),
  };
  const devices = await watchDevices(reader);
  for (const phone of Object.values(phones)) {
    await reader.client.devices.registerPush(phone.registration());
    expect(await devices.next()).toMatchObject({ status: 'active' });
  }
});

const say = async (content: string) => {
  const { cordelia } = stack.chat.people;
  const to = [reader.user.id];
  return (await cordelia.client.messages.send({ type: 'direct', to, content })).id;
};
const read = (...messages: number[]) =>
  reader.client.messages.setFlag({ messages, op: 'add', flag: 'read' });

/** The requests of the bouncer to the provider of a phone; waits until there are so many. */
const requestsFor = ({ token }: Phone, count: number) =>
  vi.waitFor(() => {
    const found = stack.simulator.journal.requests().filter((one) => one.token === token);
    expect(found).toHaveLength(count);
    return found;
  }, 15_000);

const WEEK = 7 * 86_400;
const HOUR = 3_600;
const now = () => Math.floor(Date.now() / 1000);

/** Expects that this many seconds, since a time before the push, had passed only in part when it was sent. */
function expectLeft(seconds: number, of: number, since: number): void {
  expect(seconds).toBeLessThanOrEqual(of);
  expect(seconds).toBeGreaterThanOrEqual(of - (now() + 1 - since));
}
/** Expects a UNIX time that is this many seconds after the push, which was sent after `since`. */
function expectEnd(time: number, after: number, since: number): void {
  expect(time).toBeGreaterThanOrEqual(since + after);
  expect(time).toBeLessThanOrEqual(now() + after);
}
interface FcmBody {
  readonly message: { readonly android: Readonly<Record<string, unknown>> };
}
const androidOptions = (body: string) => (JSON.parse(body) as FcmBody).message.android;

test('a message is kept for a week, at high priority, and replaces itself on an iPhone and in a browser', async () => {
  const since = now();
  await say('hello');
  const [fcm] = await requestsFor(phones.fcm, 1);
  const { ttl, ...options } = androidOptions(fcm?.body ?? '');
  expect(options).toEqual({ priority: 'high' });
  expectLeft(Number.parseFloat(String(ttl)), WEEK, since);
  const [apns] = await requestsFor(phones.apns, 1);
  expect(apns?.headers).toMatchObject({ 'apns-priority': '10', 'apns-push-type': 'alert' });
  expectEnd(Number(apns?.headers['apns-expiration']), WEEK, since);
  const [webpush] = await requestsFor(phones.webpush, 1);
  expect(webpush?.headers).toMatchObject({ urgency: 'high' });
  expectLeft(Number(webpush?.headers['ttl']), WEEK, since);
  const names = [apns?.headers['apns-collapse-id'], webpush?.headers['topic']];
  for (const name of names) expect(name).toMatch(/^[\w-]{24}$/);
  expect(names[0]).not.toBe(names[1]);
  await say('hello again');
  const [, next] = await requestsFor(phones.apns, 2);
  expect(next?.headers['apns-collapse-id']).not.toBe(names[0]);
});

test('a removal is sent in the background and outlives its message, but waits at no provider that keeps one notification', async () => {
  const id = await say('hello');
  for (const phone of Object.values(phones)) await requestsFor(phone, 1);
  const since = now();
  await read(id);
  const [, fcm] = await requestsFor(phones.fcm, 2);
  const { ttl, priority } = androidOptions(fcm?.body ?? '');
  expect(priority).toBe('normal');
  expectLeft(Number.parseFloat(String(ttl)), WEEK, since);
  const [, apns] = await requestsFor(phones.apns, 2);
  expect(apns?.headers).toMatchObject({
    'apns-priority': '5',
    'apns-push-type': 'background',
    'apns-expiration': '0',
  });
  expect(apns?.headers).not.toHaveProperty('apns-collapse-id');
  const [, webpush] = await requestsFor(phones.webpush, 2);
  expect(webpush?.headers).toMatchObject({ urgency: 'normal' });
  expect(webpush?.headers).not.toHaveProperty('topic');
});

test('a message that waits for an iPhone that is offline is not lost because another one was read', async () => {
  const first = await say('read elsewhere');
  await requestsFor(phones.apns, 1);
  stack.simulator.devices.setOnline(phones.apns.token, false);
  await say('not read yet');
  await requestsFor(phones.apns, 2);
  await read(first);
  await requestsFor(phones.apns, 3);
  stack.simulator.devices.setOnline(phones.apns.token, true);
  expect(phones.apns.received().map(({ payload }) => payload)).toMatchObject([
    { type: 'message', content: 'read elsewhere' },
    { type: 'message', content: 'not read yet' },
  ]);
});

test('a browser that was offline gets every message, and messages read meanwhile are removed', async () => {
  stack.simulator.devices.setOnline(phones.webpush.token, false);
  const [one, two] = [await say('one'), await say('two')];
  await requestsFor(phones.webpush, 2);
  await read(one);
  await requestsFor(phones.webpush, 3);
  stack.simulator.devices.setOnline(phones.webpush.token, true);
  const received = phones.webpush.received().map(({ payload }) => payload);
  expect(received).toHaveLength(3);
  expect(received).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ type: 'message', message_id: two }),
      expect.objectContaining({ type: 'remove', message_ids: [one] }),
    ]),
  );
});

test('a test notification expires after an hour and has no collapse ID', async () => {
  const since = now();
  await reader.client.devices.testNotification({});
  const [apns] = await requestsFor(phones.apns, 1);
  expectEnd(Number(apns?.headers['apns-expiration']), HOUR, since);
  expect(apns?.headers).not.toHaveProperty('apns-collapse-id');
  const [webpush] = await requestsFor(phones.webpush, 1);
  expect(webpush?.headers).toMatchObject({ urgency: 'high' });
});

import type { QueuedEvent, UserId } from '@bellhop/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Person } from '../../test-chat.fixture.ts';
import { addWebhookBot, inboxOf, status } from '../webhooks/webhooks.fixture.ts';
import { startDeliveries } from './deliveries.fixture.ts';

let deliveries: Awaited<ReturnType<typeof startDeliveries>>;
beforeAll(async () => {
  deliveries = await startDeliveries();
});
afterAll(() => deliveries[Symbol.asyncDispose]());

const newBot = async (short_name: string): Promise<UserId> => {
  const { chat, receiver } = deliveries;
  const names = { full_name: short_name, short_name };
  return (await addWebhookBot(chat, receiver.url, names)).user_id;
};
const take = ({ client, user }: Person, bot_id: UserId) =>
  client.bots.update({ bot_id, bot_owner_id: user.id });

test('a new owner of a bot does not see, find or replay what its earlier deliveries hold', async () => {
  const { chat, receiver, send, ended } = deliveries;
  const { iago } = chat.people;
  const { botDeliveries } = iago.client;
  const bot_id = await newBot('given');
  receiver.answer('the answer of before');
  const { id: delivery_id } = await ended(await send('words of before', bot_id), bot_id);
  await take(iago, bot_id);
  const { delivery } = await botDeliveries.get({ bot_id, delivery_id });
  expect(delivery).toMatchObject({ payload: null, excerpt: null });
  expect(delivery.attempts).toMatchObject([
    { response: { body: null, headers: null }, error: { near: null } },
  ]);
  const found = async (search: string) =>
    (await botDeliveries.list({ bot_id, search })).deliveries.length;
  expect(await found('words of before')).toBe(0);
  expect(await found('answer of before')).toBe(0);
  expect(await found('not JSON')).toBe(1);
  await expect(botDeliveries.replay({ bot_id, delivery_id })).rejects.toThrow('an earlier owner');
  await expect(
    botDeliveries.replay({ bot_id, delivery_id, payload: '{}', send_reply: true }),
  ).rejects.toThrow('an earlier owner');
  expect(await botDeliveries.replayMany({ bot_id, dry_run: true })).toMatchObject({ count: 0 });

  receiver.answer('{}');
  const mine = await send('words of now', bot_id);
  await expect
    .poll(async () => (await botDeliveries.list({ bot_id, message_id: mine })).deliveries)
    .toMatchObject([{ status: 'delivered', excerpt: 'words of now' }]);
  expect(await found('words of now')).toBe(1);
  expect(await botDeliveries.replayMany({ bot_id, dry_run: true })).toMatchObject({ count: 1 });
});

test('a message that waits for its next attempt is not sent to the webhook of a new owner', async () => {
  const { chat, receiver, send, inState } = deliveries;
  const { iago, cordelia } = chat.people;
  const bot_id = await newBot('waiting');
  receiver.answer(status(503, '', { 'retry-after': '4' }));
  const inbox = await inboxOf(cordelia);
  const message_id = await send('for the owner of before', bot_id);
  await inState((one) => one.message_id === message_id, ['retrying'], bot_id);
  receiver.answer('{}');
  const before = receiver.received.length;
  await take(iago, bot_id);
  await expect
    .poll(async () => (await iago.client.botDeliveries.list({ bot_id, message_id })).deliveries)
    .toMatchObject([{ status: 'dropped', error_code: 'owner_changed', excerpt: null }]);
  expect(receiver.received).toHaveLength(before);
  await inbox.next();
  expect((await inbox.next()).content).toMatch(/^Failure! .*new owner/);
});

test('replays and tests that wait are not sent to the webhook of a new owner', async () => {
  const { chat, receiver } = deliveries;
  const { hamlet, iago } = chat.people;
  const bot_id = await newBot('tested');
  const held: { end: (body: string) => void }[] = [];
  receiver.answer((response) => held.push(response));
  for (let count = 0; count < 40; count += 1) await hamlet.client.botDeliveries.test({ bot_id });
  await expect.poll(() => held.length).toBeGreaterThan(0);
  await take(iago, bot_id);
  receiver.answer('{}');
  const sent = receiver.received.length;
  for (const response of held) response.end('{}');
  const states = async () => {
    const { deliveries: all } = await iago.client.botDeliveries.list({ bot_id });
    return [...new Set(all.map(({ status, error_code }) => `${status} ${error_code}`))].toSorted();
  };
  await expect.poll(states).toEqual(['delivered null', 'dropped owner_changed']);
  expect(receiver.received).toHaveLength(sent);
});

test('a new owner is told that a delivery of before failed, but not what the endpoint answered', async () => {
  const { chat, receiver, send } = deliveries;
  const { hamlet, iago } = chat.people;
  const bot_id = await newBot('failing');
  const held: { end: (body: string) => void }[] = [];
  receiver.answer((response) => held.push(response));
  const inboxes = { ofNew: await inboxOf(iago), ofOld: await inboxOf(hamlet) };
  await send('x', bot_id);
  await expect.poll(() => held.length).toBe(1);
  await take(iago, bot_id);
  held[0]?.end('a secret of the endpoint');
  const { content } = await inboxes.ofNew.next();
  expect(content).toMatch(/failed\. .*not valid JSON/);
  expect(content).not.toContain('secret');
});

test('where a redirect leads is shown to the owner only: not to administrators, in a list, a search or an event', async () => {
  const { chat, bot_id, receiver, send, ended } = deliveries;
  const { hamlet, iago } = chat.people;
  const { queue_id, last_event_id } = await iago.client.queues.register({
    event_types: ['bot_delivery'],
    client_capabilities: { console_events: true },
  });
  const location = 'https://login.example/?ticket=hush';
  receiver.answer(status(302, '', { location, 'www-authenticate': 'Basic realm="hush"' }));
  const { id: delivery_id, ...own } = await ended(await send());
  const rest = 'redirects are refused; set the final address as payload URL';
  expect(own.verdict).toBe(`302 Found to ${location}: ${rest}`);
  expect(own.attempts[0]).toMatchObject({
    verdict: own.verdict,
    response: { headers: { location } },
  });
  const { delivery } = await iago.client.botDeliveries.get({ bot_id, delivery_id });
  expect(delivery.verdict).toBe(`302 Found: ${rest}`);
  expect(delivery.attempts).toMatchObject([
    { verdict: delivery.verdict, response: { status: 302 } },
  ]);
  const list = await iago.client.botDeliveries.list({ bot_id });
  const asked = { queue_id: queue_id ?? '', last_event_id, dont_block: true };
  const events = (await iago.client.queues.events(asked)).events as unknown as QueuedEvent[];
  expect(events.length).toBeGreaterThan(0);
  expect(JSON.stringify([delivery, list, events])).not.toContain('hush');
  const found = async ({ client }: Person) =>
    (await client.botDeliveries.list({ bot_id, search: 'hush' })).deliveries.length;
  expect(await found(hamlet)).toBe(1);
  expect(await found(iago)).toBe(0);
});

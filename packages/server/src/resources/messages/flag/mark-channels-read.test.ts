import type { MessageId } from '@bellhop/protocol';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { runQueuedJobs } from '../../../run-queued-jobs.fixture.ts';
import { type Person, startTestChat, type TestChat } from '../../../test-chat.fixture.ts';
import { waitingForLocks } from '../../../waiting-for-locks.fixture.ts';
import { addChannel } from '../../channels/channels.fixture.ts';
import { listen } from '../../queues/listen.fixture.ts';
import { markLeftChannelsRead } from './mark-channels-read.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startTestChat();
});
afterAll(() => chat[Symbol.asyncDispose]());

const send = async ({ client }: Person, to: string, content = 'x') =>
  (await client.messages.send({ type: 'channel', to, topic: 'plans', content })).id;
const flagsOf = async ({ client }: Person, message_id: MessageId) =>
  (await client.messages.fetchOne({ message_id })).message.flags;

/** Sends a message that finds subscribers, or a channel, as they were before a change, and commits after that. */
async function sendWhile(
  change: () => Promise<unknown>,
  sender: Person,
  name: string,
  content?: string,
): Promise<MessageId> {
  const { db } = chat.server.app;
  let changing: Promise<unknown> | undefined;
  let sending: Promise<MessageId> | undefined;
  await db.transaction(async (tx) => {
    await sql`select from event_counter for update`.execute(tx);
    changing = change();
    await expect.poll(() => waitingForLocks(chat), { timeout: 10_000 }).toBe(1);
    sending = send(sender, name, content);
    await expect.poll(() => waitingForLocks(chat), { timeout: 10_000 }).toBe(2);
  });
  await changing;
  if (!sending) throw new Error('nothing was sent');
  return sending;
}

/** Runs the jobs that look at left channels again, and waits for their end. */
const lookAgain = () => runQueuedJobs(chat, markLeftChannelsRead.name);

test('a message that was being sent while a subscriber left is not received, even if it mentions them', async () => {
  const { hamlet, cordelia } = chat.people;
  await addChannel(chat, { name: 'Denmark', subscribers: [hamlet, cordelia] });
  await send(hamlet, 'Denmark');
  const queue = await listen(cordelia);
  const late = await sendWhile(
    () => cordelia.client.subscriptions.remove({ subscriptions: ['Denmark'] }),
    hamlet,
    'Denmark',
    'hello @**Cordelia**',
  );
  expect(await queue.events('message')).toEqual([]);
  expect(await flagsOf(cordelia, late)).toEqual(['read', 'historical']);
});

test('a message that was being sent while somebody subscribed is received, and unread', async () => {
  const { hamlet, cordelia } = chat.people;
  await addChannel(chat, { name: 'Wittenberg', subscribers: [hamlet] });
  const before = await send(hamlet, 'Wittenberg');
  const queue = await listen(cordelia, { event_types: ['message'] });
  const subscriptions = [{ name: 'Wittenberg' }];
  const late = await sendWhile(
    () => cordelia.client.subscriptions.add({ subscriptions }),
    hamlet,
    'Wittenberg',
  );
  expect(await queue.events('message')).toMatchObject([{ message: { id: late }, flags: [] }]);
  expect(await flagsOf(cordelia, late)).toEqual([]);
  expect(await flagsOf(cordelia, before)).toEqual(['read', 'historical']);
});

test('a message that was being sent while its channel was archived is marked as read soon after', async () => {
  const { iago, hamlet, cordelia } = chat.people;
  const stream_id = await addChannel(chat, { name: 'Elsinore', subscribers: [hamlet, cordelia] });
  const archive = () => iago.client.channels.archive({ stream_id });
  const late = await sendWhile(archive, hamlet, 'Elsinore');
  await lookAgain();
  expect(await flagsOf(cordelia, late)).toEqual(['read']);
});

test('new messages stay unread for a user who has unsubscribed and subscribed again', async () => {
  const { hamlet, cordelia } = chat.people;
  await addChannel(chat, { name: 'Norway', subscribers: [hamlet, cordelia] });
  await cordelia.client.subscriptions.remove({ subscriptions: ['Norway'] });
  await cordelia.client.subscriptions.add({ subscriptions: [{ name: 'Norway' }] });
  const id = await send(hamlet, 'Norway');
  await lookAgain();
  expect(await flagsOf(cordelia, id)).toEqual([]);
});

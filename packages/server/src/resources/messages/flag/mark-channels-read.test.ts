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

const send = async ({ client }: Person, to: string) =>
  (await client.messages.send({ type: 'channel', to, topic: 'plans', content: 'x' })).id;
const flagsOf = async ({ client }: Person, message_id: MessageId) =>
  (await client.messages.fetchOne({ message_id })).message.flags;

/** Sends a message that finds a reader who unsubscribes, or a channel in use, and commits after that. */
async function sendWhile(
  leave: () => Promise<unknown>,
  sender: Person,
  name: string,
): Promise<MessageId> {
  const { db } = chat.server.app;
  let leaving: Promise<unknown> | undefined;
  let sending: Promise<MessageId> | undefined;
  await db.transaction(async (tx) => {
    await sql`select from event_counter for update`.execute(tx);
    leaving = leave();
    await expect.poll(() => waitingForLocks(chat), { timeout: 10_000 }).toBe(1);
    sending = send(sender, name);
    await expect.poll(() => waitingForLocks(chat), { timeout: 10_000 }).toBe(2);
  });
  await leaving;
  if (!sending) throw new Error('nothing was sent');
  return sending;
}

/** Runs the jobs that look at left channels again, and waits for their end. */
const lookAgain = () => runQueuedJobs(chat, markLeftChannelsRead.name);

test('a message that was being sent while its reader unsubscribed is marked as read soon after', async () => {
  const { hamlet, cordelia } = chat.people;
  await addChannel(chat, { name: 'Denmark', subscribers: [hamlet, cordelia] });
  await send(hamlet, 'Denmark');
  const late = await sendWhile(
    () => cordelia.client.subscriptions.remove({ subscriptions: ['Denmark'] }),
    hamlet,
    'Denmark',
  );
  expect(await flagsOf(cordelia, late)).toEqual([]);
  const queue = await listen(cordelia);
  await lookAgain();
  expect(await flagsOf(cordelia, late)).toEqual(['read']);
  expect(await queue.events('update_message_flags')).toMatchObject([
    { op: 'add', flag: 'read', messages: [late] },
  ]);
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

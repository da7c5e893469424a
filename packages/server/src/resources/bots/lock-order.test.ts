import type { ChannelId, UserId } from '@bellhop/protocol';
import { sql } from 'kysely';
import { expect, test } from 'vitest';

import type { Tx } from '../../engine/call.ts';
import { startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { addWebhookBot, waitingForLocks } from './webhooks.fixture.ts';

interface Waiting {
  /** Locks what the change waits for. */
  readonly hold: (tx: Tx) => Promise<unknown>;
  readonly change: () => Promise<unknown>;
}

/** Which of the bots a change has locked while it waits. */
async function lockedWhileWaiting(
  chat: TestChat,
  bots: readonly UserId[],
  { hold, change }: Waiting,
): Promise<UserId[]> {
  let changing: Promise<unknown> | undefined;
  const free = await chat.server.app.db.transaction(async (tx) => {
    await hold(tx);
    changing = change();
    await expect.poll(() => waitingForLocks(chat), { timeout: 10_000 }).toBe(1);
    const { rows } = await sql<{ id: UserId }>`select id from realm_user
      where id = any(${bots}::bigint[]) for no key update skip locked`.execute(tx);
    return rows.map(({ id }) => id);
  });
  await changing;
  return bots.filter((id) => !free.includes(id));
}

/** A channel to which a bot is subscribed. */
async function channelOf({ people: { desdemona } }: TestChat, bot: UserId): Promise<ChannelId> {
  await desdemona.client.subscriptions.add({
    subscriptions: [{ name: 'open' }],
    principals: [bot],
  });
  return (await desdemona.client.channels.id({ stream: 'open' })).stream_id;
}

// The end of a delivery locks the bot first, and then the webhook and the channel of the reply.

test('a change of the payload URL of a bot locks the bot before its webhook', async () => {
  await using chat = await startTestChat();
  const { user_id: bot_id } = await addWebhookBot(chat, 'http://127.0.0.1:8080/hook');
  const change = { bot_id, service_payload_url: 'http://127.0.0.1:8080/other' };
  const locked = await lockedWhileWaiting(chat, [bot_id], {
    hold: (tx) => sql`select from bot_service for update`.execute(tx),
    change: () => chat.people.hamlet.client.bots.update(change),
  });
  expect(locked).toEqual([bot_id]);
});

test('a deactivation of a user locks all their bots before the channels', async () => {
  await using chat = await startTestChat();
  const { hamlet, desdemona } = chat.people;
  const url = 'http://127.0.0.1:8080/hook';
  const one = await addWebhookBot(chat, url);
  const other = await addWebhookBot(chat, url, { full_name: 'Other', short_name: 'other' });
  const channel = await channelOf(chat, one.user_id);
  const bots = [one.user_id, other.user_id];
  const locked = await lockedWhileWaiting(chat, bots, {
    hold: (tx) => sql`select from channel where id = ${channel} for update`.execute(tx),
    change: () => desdemona.client.users.deactivate({ user_id: hamlet.user.id }),
  });
  expect(locked).toEqual(bots);
});

test('a deactivation of a bot locks the bot before its channels', async () => {
  await using chat = await startTestChat();
  const { hamlet } = chat.people;
  const { user_id: bot_id } = await addWebhookBot(chat, 'http://127.0.0.1:8080/hook');
  const channel = await channelOf(chat, bot_id);
  const locked = await lockedWhileWaiting(chat, [bot_id], {
    hold: (tx) => sql`select from channel where id = ${channel} for update`.execute(tx),
    change: () => hamlet.client.bots.deactivate({ bot_id }),
  });
  expect(locked).toEqual([bot_id]);
});

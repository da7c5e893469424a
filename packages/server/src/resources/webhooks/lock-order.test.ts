import { sql } from 'kysely';
import { expect, test } from 'vitest';

import { startTestChat } from '../../test-chat.fixture.ts';
import { waitingForLocks } from '../../waiting-for-locks.fixture.ts';
import { addWebhookBot } from './webhooks.fixture.ts';

// The end of a delivery locks the bot first, and then its webhook.

test('a change of the payload URL of a bot locks the bot before its webhook', async () => {
  await using chat = await startTestChat();
  const { user_id: bot_id } = await addWebhookBot(chat, 'http://127.0.0.1:8080/hook');
  let changing: Promise<unknown> | undefined;
  await chat.server.app.db.transaction(async (tx) => {
    await sql`select from bot_service for update`.execute(tx);
    const service_payload_url = 'http://127.0.0.1:8080/other';
    changing = chat.people.hamlet.client.bots.update({ bot_id, service_payload_url });
    await expect.poll(() => waitingForLocks(chat), { timeout: 10_000 }).toBe(1);
    const { rows: free } = await sql`select from realm_user
      where id = ${bot_id} for no key update skip locked`.execute(tx);
    expect(free).toEqual([]);
  });
  await changing;
});

import { expect, test } from 'vitest';

import { createRealm } from '../../../resources/realms/create-realm.ts';
import { startTestChat } from '../../../test-chat.fixture.ts';
import * as users from '../../users/queries.ts';
import * as queries from '../queries.ts';

test('a message of another realm is unreadable, even with a user_message row for it', async () => {
  await using chat = await startTestChat();
  const { hamlet } = chat.people;
  const { db, secrets } = chat.server.app;
  const id = await db.transaction(async (tx) => {
    const realm_id = await createRealm(
      tx,
      { secrets, externalHost: 'chat.test' },
      { subdomain: 'away', name: 'Away' },
    );
    const sender = await users.systemBot(tx, realm_id, 'notification-bot');
    const recipient_id = await queries.conversation(tx, realm_id, [sender.id]);
    const message = { topic: '', content: 'x', rendered_content: 'x', sent_at: 0, client: '' };
    const { id: message_id } = await tx
      .insertInto('message')
      .values({ ...message, realm_id, sender_id: sender.id, recipient_id })
      .returning('id')
      .executeTakeFirstOrThrow();
    await tx
      .insertInto('user_message')
      .values({ realm_id: chat.realm.id, user_id: hamlet.user.id, message_id, flags: 0 })
      .execute();
    return message_id;
  });
  const { status, body } = await chat.ask(hamlet, `GET /messages/${id}`);
  expect([status, body]).toEqual([
    400,
    { result: 'error', msg: 'Invalid message(s)', code: 'BAD_REQUEST' },
  ]);
  const { messages } = await hamlet.client.messages.fetch({ anchor: id });
  expect(messages.map((message) => message.id)).not.toContain(id);
});

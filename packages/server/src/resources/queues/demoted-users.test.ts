import { roles } from '@bellhop/protocol';
import { expect, test } from 'vitest';

import { type Person, startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { addChannel } from '../channels/channels.fixture.ts';
import { listen } from './listen.fixture.ts';

const changes = {
  demote: { role: roles.guest },
  deactivate: { is_active: false },
} as const;
/** Changes a user as a transaction does whose end of the event queues came too early. */
const change = ({ server }: TestChat, { user }: Person, name: keyof typeof changes) =>
  server.app.db.kysely
    .updateTable('realm_user')
    .set(changes[name])
    .where('id', '=', user.id)
    .execute();

test('a queue of all public channels gets only those of its user once the user is a guest', async () => {
  await using chat = await startTestChat({ keepUsersMs: 0 });
  const { hamlet, iago } = chat.people;
  const to = await addChannel(chat, { name: 'verona', subscribers: [iago] });
  const queue = await listen(hamlet, { event_types: ['message'], all_public_streams: true });
  const send = (content: string) =>
    iago.client.messages.send({ type: 'channel', to, topic: 'news', content });
  await send('for members');
  expect(await queue.messages()).toMatchObject([{ message: { content: 'for members' } }]);
  await change(chat, hamlet, 'demote');
  await send('not for guests');
  await iago.client.messages.send({
    type: 'direct',
    to: [hamlet.user.id],
    content: 'for a guest',
  });
  expect(await queue.messages()).toMatchObject([{ message: { content: 'for a guest' } }]);
});

test('a node that still knows a user as an active member registers by the role and state in the database', async () => {
  await using chat = await startTestChat({ keepUsersMs: 60_000 });
  const { hamlet, cordelia } = chat.people;
  for (const person of [hamlet, cordelia]) await listen(person, { all_public_streams: true });
  await change(chat, hamlet, 'demote');
  await change(chat, cordelia, 'deactivate');
  await expect(listen(hamlet, { all_public_streams: true })).rejects.toMatchObject({
    message: 'User not authorized for this query',
  });
  await expect(listen(cordelia)).rejects.toMatchObject({ code: 'USER_DEACTIVATED' });
});

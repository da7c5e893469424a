import { expect, test } from 'vitest';

import { startTestChat } from '../../test-chat.fixture.ts';
import { addWebhookBot, startReceiver } from './webhooks.fixture.ts';

/** More than the webhook slots of a node can take at four each. */
const HANGING_BOTS = 20;
const MESSAGES_EACH = 4;
const MAX_OF_OWNER = 16;

test('the hanging endpoints of one owner do not delay the deliveries of another owner', async () => {
  // The hanging deliveries last as long as the test.
  const env = { BELLHOP_WEBHOOK_RETRY: 'none', BELLHOP_WEBHOOK_TIMEOUT: '60' };
  await using chat = await startTestChat({ env });
  const { iago, cordelia } = chat.people;
  await using quick = await startReceiver();
  await using hanging = await startReceiver();
  hanging.answer(() => {});
  const send = (to: number) =>
    iago.client.messages.send({ type: 'direct', to: [to], content: 'hello' });
  for (let at = 0; at < HANGING_BOTS; at++) {
    const names = { full_name: `Hanging ${at}`, short_name: `hanging-${at}` };
    const { user_id } = await addWebhookBot(chat, hanging.url, names);
    await Promise.all(Array.from({ length: MESSAGES_EACH }, () => send(user_id)));
  }
  await expect.poll(() => hanging.received.length).toBe(MAX_OF_OWNER);
  const bot = await addWebhookBot(chat, quick.url, { owner_id: cordelia.user.id });
  for (let at = 0; at < 10; at++) {
    await send(bot.user_id);
    await quick.next();
  }
  expect(hanging.received).toHaveLength(MAX_OF_OWNER);
});

test('a user owns at most as many active bots as the server allows', async () => {
  await using chat = await startTestChat({ env: { BELLHOP_MAX_BOTS_PER_USER: '2' } });
  const { hamlet, iago } = chat.people;
  const create = (short_name: string, { client } = hamlet) =>
    client.bots.create({ full_name: short_name, short_name });
  const first = await create('one');
  const parallel = await Promise.allSettled([create('two'), create('three')]);
  expect(parallel.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  const refused = {
    code: 'BAD_REQUEST',
    message: 'A user has at most 2 active bots: deactivate one first.',
  };
  await expect(create('four')).rejects.toMatchObject(refused);
  const given = await create('given', iago);
  const give = () =>
    iago.client.bots.update({ bot_id: given.user_id, bot_owner_id: hamlet.user.id });
  await expect(give()).rejects.toMatchObject(refused);
  await hamlet.client.bots.deactivate({ bot_id: first.user_id });
  await give();
});

import { expect, test } from 'vitest';

import { waitingForLocks } from '../../waiting-for-locks.fixture.ts';
import { ended, failingWebhook } from '../webhooks/failing-webhook.fixture.ts';
import { inboxOf, status } from '../webhooks/webhooks.fixture.ts';

const { setUp } = failingWebhook();
type SetUp = Awaited<ReturnType<typeof setUp>>;

/** Makes the endpoint answer when `respond` is called; `called` resolves when it has the request. */
function heldEndpoint({ receiver }: Pick<SetUp, 'receiver'>, code = 200) {
  const { promise, resolve } = Promise.withResolvers<(body: string) => void>();
  receiver.answer((response, request) =>
    resolve((body) => {
      receiver.answer('{}');
      const answer = status(code, body);
      if (typeof answer !== 'string') answer(response, request);
    }),
  );
  return { called: promise };
}

const LATE = '{"content":"late"}';
const deactivations: [string, (set: SetUp) => Promise<unknown>][] = [
  [
    'the bot',
    ({ chat: { people }, bot }) => people.hamlet.client.bots.deactivate({ bot_id: bot.user_id }),
  ],
  [
    'the owner of the bot',
    ({ chat: { people } }) =>
      people.desdemona.client.users.deactivate({ user_id: people.hamlet.user.id }),
  ],
];

test.each(deactivations)(
  'a reply after %s was deactivated is withheld, and the delivery ends without a failure',
  async (_case, deactivate) => {
    const set = await setUp();
    const { called } = heldEndpoint(set);
    const id = await set.send();
    const respond = await called;
    await deactivate(set);
    respond(LATE);
    expect(await ended(set.chat, id)).toMatchObject({ state: 'done', reason: null });
    expect((await set.other.rest()).map((message) => message.id)).toEqual([id]);
    const delivery = await set.chat.server.app.db.kysely
      .selectFrom('bot_delivery')
      .selectAll()
      .executeTakeFirstOrThrow();
    expect(delivery).toMatchObject({ status: 'delivered', reply_outcome: 'withheld' });
  },
);

test('a bot that was deactivated before its endpoint failed sends no notices', async () => {
  const { receiver, chat, bot, owner, other, send } = await setUp({ retry: 'none' });
  const { called } = heldEndpoint({ receiver }, 410);
  const id = await send();
  const respond = await called;
  await chat.people.hamlet.client.bots.deactivate({ bot_id: bot.user_id });
  respond('gone');
  await ended(chat, id);
  expect((await other.rest()).map((message) => message.id)).toEqual([id]);
  expect(await owner.rest()).toEqual([]);
});

test('a reply waits for a deactivation of the bot that has not committed, and is withheld then', async () => {
  const { receiver, chat, bot, other, send } = await setUp();
  const { called } = heldEndpoint({ receiver });
  const id = await send();
  const respond = await called;
  await chat.server.app.change(chat.realm, async ({ db }) => {
    await db
      .updateTable('realm_user')
      .set({ is_active: false })
      .where('id', '=', bot.user_id)
      .execute();
    respond(LATE);
    await expect.poll(() => waitingForLocks(chat), { timeout: 10_000 }).toBe(1);
  });
  expect(await ended(chat, id)).toMatchObject({ state: 'done', reason: null });
  expect((await other.rest()).map((message) => message.id)).toEqual([id]);
});

test('a reply to a group with a participant who was deactivated is refused as every message', async () => {
  const { receiver, chat, bot, owner, other } = await setUp();
  const { cordelia, polonius, desdemona } = chat.people;
  const { called } = heldEndpoint({ receiver });
  const to = [bot.user_id, polonius.user.id];
  const message = { type: 'direct', to, content: 'hi' } as const;
  const { id } = await cordelia.client.messages.send(message);
  const respond = await called;
  await desdemona.client.users.deactivate({ user_id: polonius.user.id });
  respond(LATE);
  expect(await ended(chat, id)).toMatchObject({ state: 'done', reason: null });
  expect((await other.rest()).map((one) => one.id)).toEqual([id]);
  const refusal = "'polonius@chat.test' is no longer using this server.";
  expect((await owner.next()).content).toContain(`refused: ${refusal}`);
  await expect(cordelia.client.messages.send(message)).rejects.toMatchObject({ message: refusal });
});

test('a reply and the notices of a failure have the name that the bot has then', async () => {
  const { receiver, chat, bot, owner, other, send } = await setUp({ retry: 'none' });
  const first = heldEndpoint({ receiver });
  await send();
  const rename = (full_name: string) =>
    chat.people.hamlet.client.bots.update({ bot_id: bot.user_id, full_name });
  const respond = await first.called;
  await rename('Nymph');
  respond(LATE);
  await other.next();
  expect(await other.next()).toMatchObject({ content: 'late', sender_full_name: 'Nymph' });

  const second = heldEndpoint({ receiver }, 500);
  await send();
  const fail = await second.called;
  await rename('Narcissus');
  fail('');
  expect(await owner.next()).toMatchObject({
    sender_full_name: 'Narcissus',
    content: expect.stringContaining(`@_**Narcissus|${bot.user_id}**`) as unknown,
  });
});

test('the notice of a failure goes to the owner that the bot has then', async () => {
  const { receiver, chat, bot, owner, send } = await setUp({ retry: 'none' });
  const { desdemona } = chat.people;
  const next = await inboxOf(desdemona);
  const { called } = heldEndpoint({ receiver }, 500);
  const id = await send();
  const respond = await called;
  const bot_owner_id = desdemona.user.id;
  await desdemona.client.bots.update({ bot_id: bot.user_id, bot_owner_id });
  respond('');
  await ended(chat, id);
  expect((await next.next()).content).toContain('status 500');
  expect(await owner.rest()).toEqual([]);
});

import { attemptsOf } from '@bellhop/jobs';
import { afterEach, expect } from 'vitest';

import { startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { addWebhookBot, deliveries, inboxOf, startReceiver } from './webhooks.fixture.ts';

interface FailingWebhookOptions {
  readonly retry?: string;
  readonly timeout?: string;
  readonly now?: () => number;
}

/**
 * Functions for the tests of a file. `atEnd` disposes of its argument after the test. `setUp`
 * starts a server with a webhook bot of Hamlet's and a receiver of its deliveries; Cordelia sends
 * the messages.
 */
export function failingWebhook() {
  const ends: AsyncDisposable[] = [];
  const atEnd = <T extends AsyncDisposable>(made: T): T => {
    ends.push(made);
    return made;
  };
  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end[Symbol.asyncDispose]();
  });

  async function setUp({ retry = '0,0,0', timeout = '10', now }: FailingWebhookOptions = {}) {
    const receiver = atEnd(await startReceiver());
    const chat = atEnd(
      await startTestChat({
        env: { BELLHOP_WEBHOOK_RETRY: retry, BELLHOP_WEBHOOK_TIMEOUT: timeout },
        ...(now ? { now } : {}),
      }),
    );
    const { hamlet, cordelia } = chat.people;
    const bot = await addWebhookBot(chat, receiver.url);
    const owner = await inboxOf(hamlet);
    const other = await inboxOf(cordelia);
    const send = async (to = bot.user_id) => {
      const { id } = await cordelia.client.messages.send({
        type: 'direct',
        to: [to],
        content: 'hi',
      });
      return id;
    };
    return { receiver, chat, bot, owner, other, send };
  }
  return { setUp, atEnd };
}

/** The delivery of a message with its attempts, once it has ended. */
export async function ended(chat: TestChat, message_id: number) {
  const find = async () =>
    (await deliveries(chat)).find(({ payload }) => payload['message_id'] === message_id);
  await expect.poll(async () => (await find())?.state).toMatch(/done|dead/);
  const delivery = await find();
  if (!delivery) throw new Error('no delivery');
  return { ...delivery, attempts: await attemptsOf(chat.server.app.db.kysely, delivery.id) };
}

/** The outgoing webhook of a chat with one bot. */
export const serviceOf = ({ server }: TestChat) =>
  server.app.db.kysely.selectFrom('bot_service').selectAll().executeTakeFirstOrThrow();

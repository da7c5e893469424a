import type { BotDelivery, BotDeliveryDetails, UserId } from '@bellhop/protocol';
import { expect } from 'vitest';

import { type Person, startTestChat } from '../../test-chat.fixture.ts';
import { addWebhookBot, startReceiver } from '../webhooks/webhooks.fixture.ts';

/**
 * A chat with a webhook bot of Hamlet's, to which Cordelia writes. The receiver decides the answers
 * of the bot.
 */
export async function startDeliveries(env: Record<string, string> = {}) {
  const receiver = await startReceiver();
  const chat = await startTestChat({
    env: { BELLHOP_WEBHOOK_RETRY: '0.2,0.2', ...env },
  });
  const bot = await addWebhookBot(chat, receiver.url);
  const { hamlet, cordelia } = chat.people;
  const bot_id = bot.user_id;

  const list = async (options: { as?: Person; of?: UserId } = {}): Promise<BotDelivery[]> => {
    const { as = hamlet, of = bot_id } = options;
    return (await as.client.botDeliveries.list({ bot_id: of })).deliveries;
  };
  /** Waits until a delivery is in one of these states. */
  const inState = async (
    find: (delivery: BotDelivery) => boolean,
    states: readonly string[],
    of: UserId = bot_id,
  ): Promise<BotDeliveryDetails> => {
    let id: BotDelivery['id'] | undefined;
    await expect
      .poll(async () => {
        const found = (await list({ of })).find(find);
        id = found?.id;
        return found?.status;
      })
      .toSatisfy((status) => states.includes(String(status)));
    if (id === undefined) throw new Error('no delivery');
    return (await hamlet.client.botDeliveries.get({ bot_id: of, delivery_id: id })).delivery;
  };
  const over = ['delivered', 'bot_error', 'failed', 'dropped'];
  return {
    chat,
    bot,
    bot_id,
    receiver,
    list,
    inState,
    /** Cordelia sends the bot a direct message. Returns its id. */
    send: async (content = 'hi', to: UserId = bot_id) =>
      (await cordelia.client.messages.send({ type: 'direct', to: [to], content })).id,
    /** Waits until the delivery of a message, or one with this id, has ended. */
    ended: (which: number | string, of: UserId = bot_id) =>
      inState(({ message_id, id }) => message_id === which || id === which, over, of),
    async [Symbol.asyncDispose]() {
      await chat[Symbol.asyncDispose]();
      await receiver[Symbol.asyncDispose]();
    },
  };
}

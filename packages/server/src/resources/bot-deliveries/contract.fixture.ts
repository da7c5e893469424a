import { setTimeout } from 'node:timers/promises';

import type { ContractFixture } from '../../contract.fixture.ts';
import type { Person, TestChat } from '../../test-chat.fixture.ts';

let bots = 0;

/** Creates an outgoing webhook bot of this user, at whose address nothing listens. */
async function newBot({ client }: Person) {
  bots += 1;
  const { user_id } = await client.bots.create({
    full_name: `Delivered ${bots}`,
    short_name: `delivered-${bots}`,
    bot_type: 3,
    payload_url: 'http://127.0.0.1:9999/',
  });
  return user_id;
}

/** A bot of this user with a failed delivery, for which no job is left. */
async function withDelivery(person: Person) {
  const bot_id = await newBot(person);
  const { botDeliveries } = person.client;
  const { delivery_id } = await botDeliveries.test({ bot_id });
  for (let waits = 0; waits < 200; waits++) {
    const { delivery } = await botDeliveries.get({ bot_id, delivery_id });
    if (delivery.status === 'failed') return { bot_id, delivery_id };
    await setTimeout(50);
  }
  throw new Error('The test delivery did not fail within 10 seconds');
}

const sampleDelivery = async (_chat: TestChat, caller: Person) => {
  const { bot_id, delivery_id } = await withDelivery(caller);
  return { bot_id: String(bot_id), delivery_id };
};

/** Opens a queue like that of a console. */
const watch = ({ client }: Person) =>
  client.queues.register({ client_capabilities: { console_events: true } });

const NO_DELIVERY = '0199ae2e-0000-7000-8000-000000000000' as never;

export const fixture: ContractFixture = {
  samples: {
    'DELETE /bots/{bot_id}/replays/{replay_id}': async (_chat, caller) => ({
      bot_id: String(await newBot(caller)),
      replay_id: NO_DELIVERY,
    }),
    'GET /bots/{bot_id}/deliveries/{delivery_id}': sampleDelivery,
    'POST /bots/{bot_id}/deliveries/{delivery_id}/replay': sampleDelivery,
  },
  parameters: { cursor: () => '0199ae2e-0000-7000-8000-000000000000' },
  declared: {
    'GET /bots/{bot_id}/deliveries/{delivery_id} NOT_FOUND': async ({ chat: { people } }) =>
      people.hamlet.client.botDeliveries.get({
        bot_id: await newBot(people.hamlet),
        delivery_id: NO_DELIVERY,
      }),
    'POST /bots/{bot_id}/deliveries/{delivery_id}/replay NOT_FOUND': async ({ chat: { people } }) =>
      people.hamlet.client.botDeliveries.replay({
        bot_id: await newBot(people.hamlet),
        delivery_id: NO_DELIVERY,
      }),
    'POST /bots/{bot_id}/deliveries/{delivery_id}/replay bot_delivery': async ({
      chat: { people },
    }) => {
      await watch(people.hamlet);
      await people.hamlet.client.botDeliveries.replay(await withDelivery(people.hamlet));
    },
    'POST /bots/{bot_id}/deliveries/replay replay': async ({ chat: { people } }) => {
      await watch(people.hamlet);
      const { bot_id } = await withDelivery(people.hamlet);
      await people.hamlet.client.botDeliveries.replayMany({ bot_id, send_reply: true });
    },
    'DELETE /bots/{bot_id}/replays/{replay_id} bot_delivery': async ({ chat: { people } }) => {
      await watch(people.hamlet);
      const { bot_id } = await withDelivery(people.hamlet);
      const { botDeliveries } = people.hamlet.client;
      // A replay may have ended before it is stopped.
      for (let replays = 0; replays < 20; replays++) {
        const { replay_id } = await botDeliveries.replayMany({ bot_id });
        const stop = { bot_id, replay_id: replay_id ?? '' };
        if (replay_id !== null && (await botDeliveries.stopReplay(stop)).count > 0) return;
        await setTimeout(50);
      }
      throw new Error('Each of 20 replays ended before it was stopped');
    },
    'POST /bots/{bot_id}/deliveries/test bot_delivery': async ({ chat: { people } }) => {
      await watch(people.hamlet);
      await withDelivery(people.hamlet);
    },
  },
  changes: {
    'a test of a webhook': ({ people }) => withDelivery(people.hamlet),
  },
};

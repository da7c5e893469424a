import { createClient } from '@bellhop/client';
import type { Database } from '@bellhop/postgres';
import type { ChannelId, UserId } from '@bellhop/protocol';
import type { Tables } from '@bellhop/server/provision';

import type { SandboxUser } from './seed-people.ts';

interface SandboxBot {
  readonly user_id: UserId;
  readonly email: string;
  readonly api_key: string;
  readonly token: string;
  readonly payload_url: string;
}
interface SandboxChannel {
  readonly stream_id: ChannelId;
  readonly name: string;
}

const CHANNELS = [
  { name: 'general', description: 'Everything that has no place of its own' },
  { name: 'bots', description: 'Talk to **@Echo Bot** here' },
];

interface SeedOptions {
  readonly db: Database<Tables>;
  readonly url: string;
  readonly people: readonly SandboxUser[];
  readonly payload_url: string;
}

/** Creates the channels and the echo bot through the API at the first start; finds them later. */
export async function seedChannelsAndBot({
  db,
  url,
  people,
  payload_url,
}: SeedOptions): Promise<{ bots: SandboxBot[]; channels: SandboxChannel[] }> {
  const owner = await ownerOfEchoBot(db, people);
  const client = createClient({ url, email: owner.email, apiKey: owner.api_key });
  const { streams } = await client.channels.list({});
  if (streams.length === 0)
    await client.subscriptions.add({
      subscriptions: CHANNELS,
      is_default_stream: true,
      principals: people.map(({ user_id }) => user_id),
      send_new_subscription_messages: false,
    });
  // The echo bot is the oldest bot of the owner; other bots belong to the user of the sandbox.
  const findEchoBot = async () => {
    const { realm_bots = [] } = await client.queues.register({ event_types: ['realm_bot'] });
    const own = realm_bots.filter(({ owner_id }) => owner_id === owner.user_id);
    return own.toSorted((a, b) => a.user_id - b.user_id).slice(0, 1);
  };
  let bots = await findEchoBot();
  if (bots.length === 0) {
    await client.bots.create({
      full_name: 'Echo Bot',
      short_name: 'echo',
      bot_type: 3,
      payload_url,
    });
    bots = await findEchoBot();
  }
  const channels = streams.length === 0 ? (await client.channels.list({})).streams : streams;
  return {
    bots: bots.map(({ user_id, email, api_key = '', services }) => {
      const [service] = services;
      const token = (service && 'token' in service && service.token) || '';
      return { user_id, email, api_key, token, payload_url };
    }),
    channels: channels.map(({ stream_id, name }) => ({ stream_id, name })),
  };
}

/**
 * The owner of the echo bot. If the owner was deactivated, which deactivates the bot, or there is no bot
 * yet, that is the first of the people.
 */
async function ownerOfEchoBot(
  { kysely }: Database<Tables>,
  people: readonly SandboxUser[],
): Promise<SandboxUser> {
  const [first] = people;
  if (!first) throw new Error('The sandbox has no users');
  const echo = await kysely
    .selectFrom('realm_user')
    .select(['id', 'bot_owner_id'])
    .where('bot_owner_id', 'is not', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  const owner = people.find(({ user_id }) => user_id === echo?.bot_owner_id);
  if (owner) return owner;
  if (echo)
    await kysely
      .updateTable('realm_user')
      .set({ bot_owner_id: first.user_id, is_active: true })
      .where('id', '=', echo.id)
      .execute();
  return first;
}

/** Updates where a bot receives webhooks: its port may differ from the last start. */
export async function updatePayloadUrl(
  db: Database<Tables>,
  { user_id, payload_url }: SandboxBot,
): Promise<void> {
  await db.kysely
    .updateTable('bot_service')
    .set({ base_url: payload_url })
    .where('user_id', '=', user_id)
    .execute();
}

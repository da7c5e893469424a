import { createClient } from '@bellhop/client';
import type { Database } from '@bellhop/postgres';
import { type ChannelId, type Role, roles, type UserId } from '@bellhop/protocol';
import {
  createRealm,
  createUser,
  newSecret,
  secretsOf,
  type Tables,
} from '@bellhop/server/provision';

import { UserError } from '../command-line/user-error.ts';
import type { State } from './state-file.ts';

export interface SandboxUser {
  readonly user_id: UserId;
  readonly email: string;
  readonly full_name: string;
  readonly role: Role;
  readonly password: string;
  readonly api_key: string;
}
export interface SandboxBot {
  readonly user_id: UserId;
  readonly email: string;
  readonly api_key: string;
  readonly token: string;
  readonly payload_url: string;
}
export interface SandboxChannel {
  readonly stream_id: ChannelId;
  readonly name: string;
}

/** One person per role. */
const cast = [
  { name: 'Olivia Owner', role: roles.owner },
  { name: 'Adam Administrator', role: roles.admin },
  { name: 'Mona Moderator', role: roles.moderator },
  { name: 'Max Member', role: roles.member },
  { name: 'Gina Guest', role: roles.guest },
] as const;
const DOMAIN = 'bellhop.example';
const CHANNELS = [
  { name: 'general', description: 'Everything that has no place of its own' },
  { name: 'bots', description: 'Talk to **@Echo Bot** here' },
];

interface Where {
  readonly db: Database<Tables>;
  readonly state: State;
  readonly externalUrl: string;
}

/** Makes the realm and its people on the first start; finds them again on later ones. */
export async function seedPeople({ db, state, externalUrl }: Where): Promise<SandboxUser[]> {
  const secrets = secretsOf(state.secret);
  const known = await db.kysely.selectFrom('realm').select('id').executeTakeFirst();
  if (!known) {
    const externalHost = new URL(externalUrl).hostname;
    for (const { name } of cast) state.passwords[addressOf(name)] = newSecret(12);
    await db.transaction(async (tx) => {
      const realm = {
        subdomain: '',
        name: 'Bellhop sandbox',
        description: 'A place to try things',
      };
      const id = await createRealm(tx, { secrets, externalHost }, realm);
      for (const { name, role } of cast) {
        const email = addressOf(name);
        const password = state.passwords[email] ?? '';
        await createUser(
          tx,
          { realm: { id }, secrets },
          { email, full_name: name, role, password },
        );
      }
    });
  }
  const rows = await db.kysely
    .selectFrom('realm_user')
    .select(['id', 'delivery_email', 'full_name', 'role', 'api_key_sealed'])
    .where('is_bot', '=', false)
    .where(
      'delivery_email',
      'in',
      cast.map(({ name }) => addressOf(name)),
    )
    .orderBy('id')
    .execute();
  return rows.map(({ id, delivery_email, full_name, role, api_key_sealed }) => ({
    user_id: id,
    email: delivery_email,
    full_name,
    role,
    password: state.passwords[delivery_email] ?? '',
    api_key: opened(secrets, api_key_sealed),
  }));
}

/** Only with one's own PostgreSQL can the data and the secrets be of different sandboxes. */
function opened(secrets: ReturnType<typeof secretsOf>, sealed: Buffer): string {
  try {
    return secrets.open(sealed);
  } catch {
    throw new UserError(
      'This database belongs to a sandbox whose secrets are in another data directory: name that one with BELLHOP_DATA_DIR, or use an empty database.',
    );
  }
}

const addressOf = (name: string) => `${name.split(' ')[0]?.toLowerCase()}@${DOMAIN}`;

/** Makes the channels and the echo bot through the API, as anybody would. */
export async function seedPlaces(
  url: string,
  people: readonly SandboxUser[],
  payload_url: string,
): Promise<{ bots: SandboxBot[]; channels: SandboxChannel[] }> {
  const [owner] = people;
  if (!owner) throw new Error('The sandbox has nobody');
  const client = createClient({ url, email: owner.email, apiKey: owner.api_key });
  const { streams } = await client.channels.list({});
  if (streams.length === 0)
    await client.subscriptions.add({
      subscriptions: CHANNELS,
      principals: people.map(({ user_id }) => user_id),
      send_new_subscription_messages: false,
    });
  // An administrator sees all bots. The oldest of the owner's is the echo bot: others are not ours.
  const botsNow = async () => {
    const { realm_bots = [] } = await client.queues.register({ event_types: ['realm_bot'] });
    const own = realm_bots.filter(({ owner_id }) => owner_id === owner.user_id);
    return own.toSorted((a, b) => a.user_id - b.user_id).slice(0, 1);
  };
  let bots = await botsNow();
  if (bots.length === 0) {
    await client.bots.create({
      full_name: 'Echo Bot',
      short_name: 'echo',
      bot_type: 3,
      payload_url,
    });
    bots = await botsNow();
  }
  const made = streams.length === 0 ? (await client.channels.list({})).streams : streams;
  return {
    bots: bots.map(({ user_id, email, api_key, services }) => {
      const [service] = services;
      const token = service && 'token' in service ? service.token : '';
      return { user_id, email, api_key, token, payload_url };
    }),
    channels: made.map(({ stream_id, name }) => ({ stream_id, name })),
  };
}

/** The bot may listen on another port than at the last start. */
export async function moveBot(
  db: Database<Tables>,
  { user_id, payload_url }: SandboxBot,
): Promise<void> {
  await db.kysely
    .updateTable('bot_service')
    .set({ base_url: payload_url })
    .where('user_id', '=', user_id)
    .execute();
}

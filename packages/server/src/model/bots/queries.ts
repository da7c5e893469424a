import type { ChannelId, RealmId, UserId } from '@bellhop/protocol';
import { type Insertable, sql, type Updateable, type Generated, type JSONColumnType } from 'kysely';

import type { Db, Tx } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';
import type { Tables } from '../../engine/tables.ts';
import { columns } from '../users/queries.ts';
import { consoleWatchers } from './console-watchers.ts';

declare module '../../engine/tables.ts' {
  interface Tables {
    bot_service: {
      id: Generated<number>;
      realm_id: RealmId;
      user_id: UserId;
      name: string;
      base_url: string;
      /** 1 generic, 2 Slack-compatible. */
      interface: Generated<number>;
      token_mac: Buffer;
      token_sealed: Buffer;
      /** The token that deliveries carry until `old_token_until`. */
      old_token_sealed: Buffer | null;
      old_token_until: Date | null;
      failing_since: Date | null;
      failures_in_a_row: Generated<number>;
      disabled_at: Date | null;
      /** The time of the next attempt at a disabled webhook. */
      probe_after: Date | null;
    };
    bot_profile: {
      user_id: UserId;
      realm_id: RealmId;
      default_sending_channel_id: ChannelId | null;
      default_events_register_channel_id: ChannelId | null;
      default_all_public_streams: Generated<boolean>;
      config_data: JSONColumnType<Record<string, string>, string | undefined, string>;
      /** The last warning to the owner that a message reached nobody, in UNIX seconds. */
      owner_warned_at: number | null;
    };
  }
}

/** The number of active bots of a user. */
export async function countOwnedBy(db: Db, { id, realm_id }: Pick<User, 'id' | 'realm_id'>) {
  const { count } = await db
    .selectFrom('realm_user')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('realm_id', '=', realm_id)
    .where('bot_owner_id', '=', id)
    .where('is_active', '=', true)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function insertProfile(
  tx: Tx,
  profile: Insertable<Tables['bot_profile']>,
): Promise<void> {
  await tx.insertInto('bot_profile').values(profile).execute();
}

export async function insertService(
  tx: Tx,
  service: Insertable<Tables['bot_service']>,
): Promise<void> {
  await tx.insertInto('bot_service').values(service).execute();
}

/** The webhooks of the active outgoing webhook bots among these users. */
export const webhooksOf = (db: Db, realm: RealmId, user_ids: readonly number[]) =>
  db
    .selectFrom('bot_service as s')
    .innerJoin('realm_user as u', (join) =>
      join.onRef('u.realm_id', '=', 's.realm_id').onRef('u.id', '=', 's.user_id'),
    )
    .select(['s.id', 's.user_id', 'u.bot_owner_id as owner_id'])
    .where('s.realm_id', '=', realm)
    .where(sql<boolean>`u.id = any(${user_ids}::bigint[])`)
    .where('u.is_active', '=', true)
    .where('u.bot_type', '=', 3)
    .orderBy('s.id')
    .execute();

const serviceColumns = [
  'id',
  'user_id',
  'base_url',
  'interface',
  'token_sealed',
  'old_token_sealed',
  'old_token_until',
  'disabled_at',
] as const;

/** A webhook by id, also of a deactivated bot. */
export const service = (db: Db, realm: RealmId, id: number) =>
  db
    .selectFrom('bot_service')
    .select(serviceColumns)
    .select(consoleWatchers(realm, sql.ref('bot_service.user_id')).as('watchers'))
    .where('realm_id', '=', realm)
    .where('id', '=', id)
    .executeTakeFirst();

/** The webhook of a bot, with its health. */
export const serviceOf = (db: Db, realm: RealmId, user_id: UserId) =>
  db
    .selectFrom('bot_service')
    .select(serviceColumns)
    .select(['failing_since', 'failures_in_a_row', 'probe_after', 'token_mac'])
    .where('realm_id', '=', realm)
    .where('user_id', '=', user_id)
    .orderBy('id')
    .executeTakeFirst();

/** Bots with their profiles: all of a realm, those of an owner, or one. */
export function bots(
  db: Db,
  realm: RealmId,
  { owner_id, id }: { owner_id?: UserId; id?: UserId } = {},
) {
  const all = db
    .selectFrom('realm_user as u')
    .leftJoin('bot_profile as p', (join) =>
      join.onRef('p.realm_id', '=', 'u.realm_id').onRef('p.user_id', '=', 'u.id'),
    )
    .leftJoin('channel as sending', (join) =>
      join
        .onRef('sending.realm_id', '=', 'p.realm_id')
        .onRef('sending.id', '=', 'p.default_sending_channel_id'),
    )
    .leftJoin('channel as events', (join) =>
      join
        .onRef('events.realm_id', '=', 'p.realm_id')
        .onRef('events.id', '=', 'p.default_events_register_channel_id'),
    )
    .select(columns.map((column) => `u.${column}` as const))
    .select([
      'u.api_key_sealed',
      'p.default_all_public_streams',
      'p.config_data',
      'sending.name as default_sending_stream',
      'events.name as default_events_register_stream',
    ])
    .where('u.realm_id', '=', realm)
    .where('u.is_bot', '=', true)
    .where('u.is_system_bot', '=', false)
    .orderBy('u.id');
  const owned = owner_id === undefined ? all : all.where('u.bot_owner_id', '=', owner_id);
  return (id === undefined ? owned : owned.where('u.id', '=', id)).execute();
}

/** What the event queues of a bot get if their registration does not say it. */
export const queueDefaults = (db: Db, { id, realm_id }: Pick<User, 'id' | 'realm_id'>) =>
  db
    .selectFrom('bot_profile')
    .select(['default_all_public_streams', 'default_events_register_channel_id'])
    .where('realm_id', '=', realm_id)
    .where('user_id', '=', id)
    .executeTakeFirst();

/** The bots that have this channel as a default channel. */
export const withDefaultChannel = (db: Db, realm: RealmId, channel: ChannelId) =>
  db
    .selectFrom('realm_user as u')
    .innerJoin('bot_profile as p', (join) =>
      join.onRef('p.realm_id', '=', 'u.realm_id').onRef('p.user_id', '=', 'u.id'),
    )
    .select(columns.map((column) => `u.${column}` as const))
    .select(['p.default_sending_channel_id', 'p.default_events_register_channel_id'])
    .where('u.realm_id', '=', realm)
    .where((where) =>
      where.or([
        where('p.default_sending_channel_id', '=', channel),
        where('p.default_events_register_channel_id', '=', channel),
      ]),
    )
    .orderBy('u.id')
    .execute();

/** Changes a bot's profile; `config_data` is merged into the existing values. */
export async function updateProfile(
  tx: Tx,
  { id, realm_id }: Pick<User, 'id' | 'realm_id'>,
  { config_data, ...changes }: ProfileChanges,
): Promise<void> {
  if (Object.keys(changes).length === 0 && !config_data) return;
  await tx
    .updateTable('bot_profile')
    .set({
      ...changes,
      ...(config_data
        ? { config_data: sql`config_data || ${JSON.stringify(config_data)}::jsonb` }
        : {}),
    })
    .where('realm_id', '=', realm_id)
    .where('user_id', '=', id)
    .execute();
}
/** Records that the owner of a bot is warned now; false if they were warned at or after `since`. UNIX seconds. */
export async function claimWarning(
  tx: Tx,
  { id, realm_id }: Pick<User, 'id' | 'realm_id'>,
  { now, since }: { now: number; since: number },
): Promise<boolean> {
  const claimed = await tx
    .updateTable('bot_profile')
    .set({ owner_warned_at: now })
    .where('realm_id', '=', realm_id)
    .where('user_id', '=', id)
    .where((at) => at.or([at('owner_warned_at', 'is', null), at('owner_warned_at', '<=', since)]))
    .executeTakeFirst();
  return claimed.numUpdatedRows > 0n;
}

type ProfileChanges = Omit<Updateable<Tables['bot_profile']>, 'config_data'> & {
  readonly config_data?: Readonly<Record<string, string>> | undefined;
};

/** Changes a webhook and clears its failures; false if the bot has no webhook. */
export async function updateService(
  tx: Tx,
  { id, realm_id }: Pick<User, 'id' | 'realm_id'>,
  changes: Pick<Updateable<Tables['bot_service']>, 'base_url' | 'interface'>,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('bot_service')
    .set({
      ...changes,
      failing_since: null,
      failures_in_a_row: 0,
      disabled_at: null,
      probe_after: null,
    })
    .where('realm_id', '=', realm_id)
    .where('user_id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

interface NewToken {
  readonly mac: Buffer;
  readonly sealed: Buffer;
  /** UNIX time in seconds. */
  readonly now: number;
  readonly keepOldSeconds: number;
}

/**
 * Sets a new token of a webhook. Deliveries carry the current one for another `keepOldSeconds`. False
 * if the bot has no webhook.
 */
export async function setToken(
  tx: Tx,
  { id, realm_id }: Pick<User, 'id' | 'realm_id'>,
  { mac, sealed, now, keepOldSeconds }: NewToken,
): Promise<boolean> {
  const carried = sql<Buffer>`case when old_token_until > to_timestamp(${now})
    then old_token_sealed else token_sealed end`;
  const { numUpdatedRows } = await tx
    .updateTable('bot_service')
    .set({
      token_mac: mac,
      token_sealed: sealed,
      ...(keepOldSeconds > 0
        ? {
            old_token_sealed: carried,
            old_token_until: sql<Date>`to_timestamp(${now + keepOldSeconds})`,
          }
        : { old_token_sealed: null, old_token_until: null }),
    })
    .where('realm_id', '=', realm_id)
    .where('user_id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The webhooks of these bots. */
export const servicesOf = (db: Db, realm: RealmId, ids: readonly number[]) =>
  db
    .selectFrom('bot_service')
    .select(['user_id', 'base_url', 'interface', 'token_sealed'])
    .where('realm_id', '=', realm)
    .where(sql<boolean>`user_id = any(${ids}::bigint[])`)
    .orderBy('id')
    .execute();

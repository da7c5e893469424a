import { lowerAll } from '@bellhop/postgres';
import { type RealmId, type Role, roles, type UserId, type BotType } from '@bellhop/protocol';
import {
  type Insertable,
  type RawBuilder,
  sql,
  type Updateable,
  type Generated,
  type JSONColumnType,
} from 'kysely';

import { byRealm } from '../../engine/by-realm.ts';
import type { Db, Tx } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';
import type { Tables } from '../../engine/tables.ts';

declare module '../../engine/tables.ts' {
  interface Tables {
    realm_user: {
      id: Generated<UserId>;
      realm_id: RealmId;
      delivery_email: string;
      full_name: string;
      role: Generated<Role>;
      is_active: Generated<boolean>;
      is_bot: Generated<boolean>;
      bot_type: BotType | null;
      bot_owner_id: UserId | null;
      acts_for_owner: Generated<boolean>;
      is_system_bot: Generated<boolean>;
      can_create_users: Generated<boolean>;
      can_change_user_emails: Generated<boolean>;
      password_hash: string | null;
      api_key_mac: Buffer;
      api_key_sealed: Buffer;
      timezone: Generated<string>;
      avatar_source: Generated<'G' | 'U'>;
      avatar_version: Generated<number>;
      settings: JSONColumnType<Record<string, unknown>, string | undefined, string>;
      date_joined: Generated<Date>;
    };
    avatar: {
      realm_id: RealmId;
      user_id: UserId;
      version: number;
      small: Buffer;
      medium: Buffer;
    };
  }
}

export const columns = [
  'id',
  'realm_id',
  'delivery_email',
  'full_name',
  'role',
  'is_active',
  'is_bot',
  'bot_type',
  'bot_owner_id',
  'api_key_mac',
  'is_system_bot',
  'can_create_users',
  'can_change_user_emails',
  'timezone',
  'avatar_source',
  'avatar_version',
  'settings',
  'date_joined',
] as const;

const inRealm = (db: Db, realm: RealmId) =>
  db.selectFrom('realm_user').select(columns).where('realm_id', '=', realm);

/** The digest of an API key. */
export interface ApiKey {
  readonly realm_id: RealmId;
  readonly mac: Buffer;
}

/** The users with these API keys, in the order of the keys; undefined for a key that nobody has. */
export const byKeys = (db: Db, keys: readonly ApiKey[]): Promise<(User | undefined)[]> =>
  byRealm(
    keys,
    ({ realm_id }) => realm_id,
    async (realm, own) => {
      const rows = await db
        .selectFrom('realm_user as u')
        .innerJoin(
          sql<{ mac: Buffer; at: number }>`unnest(
            ${own.map(({ mac }) => mac)}::bytea[]) with ordinality`.as<'k'>(sql`k (mac, at)`),
          'u.api_key_mac',
          'k.mac',
        )
        .select(columns.map((column) => `u.${column}` as const))
        .select('k.at')
        .where('u.realm_id', '=', realm)
        .execute();
      const byIndex = new Map(rows.map(({ at, ...user }) => [at - 1, user]));
      return own.map((_key, at) => byIndex.get(at));
    },
  );

/** The person or bot with this address. */
export const byEmail = (db: Db, realm: RealmId, email: string): Promise<User | undefined> =>
  inRealm(db, realm)
    .where(sql<boolean>`lower(delivery_email) = any(${lowerAll([email])})`)
    .executeTakeFirst();

export const byId = (db: Db, realm: RealmId, id: UserId): Promise<User | undefined> =>
  inRealm(db, realm).where('id', '=', id).executeTakeFirst();

export const byIds = (db: Db, realm: RealmId, ids: readonly number[]): Promise<User[]> =>
  inRealm(db, realm)
    .where(sql<boolean>`id = any(${ids}::bigint[])`)
    .orderBy('id')
    .execute();

/** Users by their real e-mail addresses, in any letter case. */
export const byEmails = (db: Db, realm: RealmId, emails: readonly string[]): Promise<User[]> =>
  inRealm(db, realm)
    .where(sql<boolean>`lower(delivery_email) = any(${lowerAll(emails)})`)
    .orderBy('id')
    .execute();

export const byFullNames = (db: Db, realm: RealmId, names: readonly string[]): Promise<User[]> =>
  inRealm(db, realm)
    .where(sql<boolean>`lower(full_name) = any(${lowerAll(names)})`)
    .orderBy('id')
    .execute();

export const all = (db: Db, realm: RealmId): Promise<User[]> =>
  inRealm(db, realm).orderBy('id').execute();

/** A user with the password hash and the sealed API key. */
export const forLogin = (db: Db, realm: RealmId, email: string) =>
  db
    .selectFrom('realm_user')
    .select([...columns, 'password_hash', 'api_key_sealed'])
    .where('realm_id', '=', realm)
    .where(sql<boolean>`lower(delivery_email) = lower(${email})`)
    .executeTakeFirst();

/** The settings that a new person in the realm starts with, as JSON text. */
export async function defaultSettings(db: Db, realm: RealmId): Promise<string> {
  const { settings } = await db
    .selectFrom('realm')
    .select(
      sql<string>`(user_defaults || case when settings ? 'default_language'
        then jsonb_build_object('default_language', settings -> 'default_language')
        else '{}' end)::text`.as('settings'),
    )
    .where('id', '=', realm)
    .executeTakeFirstOrThrow();
  return settings;
}

export const insert = (tx: Tx, row: Insertable<Tables['realm_user']>): Promise<User> =>
  tx.insertInto('realm_user').values(row).returning(columns).executeTakeFirstOrThrow();

/**
 * Makes other changes of objects of this user, such as their navigation views, wait for this one.
 */
export const lock = (tx: Tx, { id, realm_id }: Pick<User, 'id' | 'realm_id'>): Promise<void> =>
  lockAll(tx, realm_id, [id]);

/**
 * The same for several users. What a user has of messages changes under this lock, which is taken before that
 * of the log: rows are made of what the subscription and the message say, and must see the last of it.
 */
export async function lockAll(tx: Tx, realm: RealmId, ids: readonly UserId[]): Promise<void> {
  if (ids.length > 0) await lockingAll(realm, ids).execute(tx);
}

/** The statement of `lockAll`, for one that is sent with the commit. */
export const lockingAll = (realm: RealmId, ids: readonly UserId[]): RawBuilder<unknown> =>
  sql`select from realm_user where realm_id = ${realm} and id = any(${ids}::bigint[])
    order by id for no key update`;

/** Changes a user of the realm. */
export async function update(
  tx: Tx,
  { id, realm_id }: Pick<User, 'id' | 'realm_id'>,
  changes: Updateable<Tables['realm_user']>,
): Promise<void> {
  if (Object.keys(changes).length === 0) return;
  await tx
    .updateTable('realm_user')
    .set(changes)
    .where('realm_id', '=', realm_id)
    .where('id', '=', id)
    .execute();
}

/** The active guests. */
export const activeGuests = async (db: Db, realm: RealmId): Promise<UserId[]> =>
  (
    await db
      .selectFrom('realm_user')
      .select('id')
      .where('realm_id', '=', realm)
      .where('is_active', '=', true)
      .where('role', '=', roles.guest)
      .execute()
  ).map(({ id }) => id);

/** The active people of a realm: all, or only the owners. */
export async function countActivePeople(
  db: Db,
  realm: RealmId,
  { lowestRole }: { readonly lowestRole: Role },
): Promise<number> {
  const { count } = await db
    .selectFrom('realm_user')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('realm_id', '=', realm)
    .where('is_active', '=', true)
    .where('is_bot', '=', false)
    .where('role', '<=', lowestRole)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The bots of an owner, also deactivated ones. */
export const botsOf = (db: Db, { id, realm_id }: Pick<User, 'id' | 'realm_id'>) =>
  inRealm(db, realm_id).where('bot_owner_id', '=', id).orderBy('id').execute();

/** The active administrators and owners, without bots. */
export const administrators = (db: Db, realm: RealmId): Promise<Pick<User, 'id' | 'role'>[]> =>
  db
    .selectFrom('realm_user')
    .select(['id', 'role'])
    .where('realm_id', '=', realm)
    .where('is_active', '=', true)
    .where('is_bot', '=', false)
    .where('role', '<=', roles.admin)
    .execute();

/** `actingOwner` of a row of realm_user, as a part of a statement. */
export function actingOwnerOf(realm: RealmId, bot: string): RawBuilder<UserId | null> {
  const u = sql.id(bot);
  return sql`(select o.id from realm_user o where ${u}.acts_for_owner
    and o.realm_id = ${realm} and o.id = ${u}.bot_owner_id and o.is_active)`;
}

/** The owner of the bot, in whose channels the bot may post too; null if that has no effect. */
export async function actingOwner(
  db: Db,
  { id, realm_id }: Pick<User, 'id' | 'realm_id'>,
): Promise<UserId | null> {
  const row = await db
    .selectFrom('realm_user as u')
    .select(actingOwnerOf(realm_id, 'u').as('owner'))
    .where('u.realm_id', '=', realm_id)
    .where('u.id', '=', id)
    .executeTakeFirst();
  return row?.owner ?? null;
}

/** The active users among these who receive typing notifications. */
export const receivingTyping = async (
  db: Db,
  realm: RealmId,
  ids: readonly UserId[],
): Promise<UserId[]> =>
  (
    await db
      .selectFrom('realm_user')
      .select('id')
      .where('realm_id', '=', realm)
      .where('is_active', '=', true)
      .where(sql<boolean>`id = any(${ids}::bigint[])`)
      .where(sql<boolean>`coalesce((settings ->> 'receives_typing_notifications')::boolean, true)`)
      .execute()
  ).map(({ id }) => id);

/** A system bot by the local part of its address. */
export const systemBot = (db: Db, realm: RealmId, name: string): Promise<User> =>
  inRealm(db, realm)
    .where('is_system_bot', '=', true)
    .where('delivery_email', 'like', `${name}@%`)
    .executeTakeFirstOrThrow();

/** The bots that send the server's own messages. */
export const systemBots = (db: Db, realm: RealmId): Promise<User[]> =>
  inRealm(db, realm).where('is_system_bot', '=', true).orderBy('id').execute();

export type AvatarSize = 'small' | 'medium';

/** Stores the uploaded avatar of a user in place of an earlier one. */
export async function replaceAvatar(
  tx: Tx,
  { id, realm_id }: Pick<User, 'id' | 'realm_id'>,
  avatar: Pick<Tables['avatar'], 'version' | AvatarSize>,
): Promise<void> {
  await tx
    .insertInto('avatar')
    .values({ realm_id, user_id: id, ...avatar })
    .onConflict((conflict) => conflict.columns(['realm_id', 'user_id']).doUpdateSet(avatar))
    .execute();
}

export async function removeAvatar(
  tx: Tx,
  { id, realm_id }: Pick<User, 'id' | 'realm_id'>,
): Promise<void> {
  await tx
    .deleteFrom('avatar')
    .where('realm_id', '=', realm_id)
    .where('user_id', '=', id)
    .execute();
}

/** An uploaded avatar in one of its sizes. */
export const avatar = (
  db: Db,
  { id: user_id, realm_id: realm }: Pick<User, 'id' | 'realm_id'>,
  size: AvatarSize,
): Promise<{ version: number; bytes: Buffer } | undefined> =>
  db
    .selectFrom('avatar')
    .select(['version', `${size} as bytes`])
    .where('realm_id', '=', realm)
    .where('user_id', '=', user_id)
    .executeTakeFirst();

/** The API key of one user of any realm; undefined if there is no user. */
export async function anySealedApiKey(db: Db): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('realm_user')
    .select('api_key_sealed')
    .orderBy('realm_id')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return row?.api_key_sealed;
}

/**
 * For a new epoch of the database: clients keep pictures by address, which has this number. It needs
 * less room than the numbers of messages.
 */
export const renumberAvatars = (jump: number): string =>
  `update realm_user set avatar_version = avatar_version + ${Math.floor(jump / 1000)}`;

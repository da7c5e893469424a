import type { RealmId, UserId } from '@bellhop/protocol';
import { sql, type GeneratedAlways } from 'kysely';

import type { Db, Tx } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';

declare module '../../engine/tables.ts' {
  interface Tables {
    console_session: {
      realm_id: RealmId;
      id: GeneratedAlways<number>;
      key_hash: Buffer;
      cookie_hash: Buffer;
      expires_at: number;
    };
    console_account: {
      realm_id: RealmId;
      session_id: number;
      user_id: UserId;
      api_key_mac: Buffer;
      signed_in_at: number;
    };
    console_sign_in_key: {
      realm_id: RealmId;
      key_hash: Buffer;
      user_id: UserId;
      expires_at: number;
    };
  }
}

interface Halves {
  readonly key_hash: Buffer;
  readonly cookie_hash: Buffer;
}
interface NewSession extends Halves {
  readonly realm_id: RealmId;
  readonly expires_at: number;
}
interface NewAccount {
  readonly session_id: number;
  readonly now: number;
}

/** The session with these halves, if it has not expired. */
export async function find(
  db: Db,
  realm: RealmId,
  { key_hash, cookie_hash, now }: Halves & { readonly now: number },
): Promise<number | undefined> {
  const row = await db
    .selectFrom('console_session')
    .select('id')
    .where('realm_id', '=', realm)
    .where('key_hash', '=', key_hash)
    .where('cookie_hash', '=', cookie_hash)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row?.id;
}

/** The accounts of a session in the order of their sign-in. */
export const accounts = (db: Db, realm: RealmId, session: number) =>
  db
    .selectFrom('console_account')
    .select(['user_id', 'api_key_mac'])
    .where('realm_id', '=', realm)
    .where('session_id', '=', session)
    .orderBy('signed_in_at')
    .orderBy('user_id')
    .execute();

/** Stores a session, and removes the expired ones of the realm. Returns its ID. */
export async function insert(tx: Tx, session: NewSession, now: number): Promise<number> {
  await tx
    .deleteFrom('console_session')
    .where('realm_id', '=', session.realm_id)
    .where('expires_at', '<=', now)
    .execute();
  const row = await tx
    .insertInto('console_session')
    .values(session)
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** Adds a user with their API key as of now. */
export async function addAccount(
  tx: Tx,
  { realm_id, id }: Pick<User, 'realm_id' | 'id'>,
  { session_id, now }: NewAccount,
): Promise<void> {
  await sql`insert into console_account (realm_id, session_id, user_id, api_key_mac, signed_in_at)
    select realm_id, ${session_id}, id, api_key_mac, ${now} from realm_user
    where realm_id = ${realm_id} and id = ${id}
    on conflict (realm_id, session_id, user_id)
      do update set api_key_mac = excluded.api_key_mac`.execute(tx);
}

/** Removes one account, or all, and the session when it has none left. */
export async function removeAccounts(
  tx: Tx,
  realm: RealmId,
  { session, user }: { readonly session: number; readonly user: UserId | undefined },
): Promise<void> {
  await tx
    .deleteFrom('console_account')
    .where('realm_id', '=', realm)
    .where('session_id', '=', session)
    .$if(user !== undefined, (some) => some.where('user_id', '=', user ?? (0 as UserId)))
    .execute();
  await sql`delete from console_session s where s.realm_id = ${realm} and s.id = ${session}
    and not exists (select from console_account a
      where a.realm_id = s.realm_id and a.session_id = s.id)`.execute(tx);
}

/** Signs a user out of all sessions, and ends links that sign in. Sessions without an account expire. */
export async function removeOfUser(
  tx: Tx,
  { realm_id, id }: Pick<User, 'realm_id' | 'id'>,
): Promise<void> {
  await tx
    .deleteFrom('console_account')
    .where('realm_id', '=', realm_id)
    .where('user_id', '=', id)
    .execute();
  await tx
    .deleteFrom('console_sign_in_key')
    .where('realm_id', '=', realm_id)
    .where('user_id', '=', id)
    .execute();
}

/** Ends all sessions of a realm, and the links that sign in. */
export async function removeAllOfRealm(tx: Tx, realm: RealmId): Promise<void> {
  await tx.deleteFrom('console_session').where('realm_id', '=', realm).execute();
  await tx.deleteFrom('console_sign_in_key').where('realm_id', '=', realm).execute();
}

/** Keeps the newest sessions of a user. */
export async function removeOldest(
  tx: Tx,
  { realm_id, id }: Pick<User, 'realm_id' | 'id'>,
  keep: number,
): Promise<void> {
  await sql`delete from console_account where realm_id = ${realm_id} and user_id = ${id}
    and session_id = any(array(select session_id from console_account
      where realm_id = ${realm_id} and user_id = ${id}
      order by session_id desc offset ${keep}))`.execute(tx);
}

export async function insertKey(
  tx: Tx,
  users: readonly Pick<User, 'realm_id' | 'id'>[],
  { key_hash, expires_at }: { readonly key_hash: Buffer; readonly expires_at: number },
): Promise<void> {
  await tx
    .insertInto('console_sign_in_key')
    .values(users.map(({ realm_id, id }) => ({ realm_id, user_id: id, key_hash, expires_at })))
    .execute();
}

/** Removes a key, and those that have expired. Returns the users of the key if it was valid. */
export async function takeKey(
  tx: Tx,
  realm: RealmId,
  { key_hash, now }: { readonly key_hash: Buffer; readonly now: number },
): Promise<UserId[]> {
  const rows = await tx
    .deleteFrom('console_sign_in_key')
    .where('realm_id', '=', realm)
    .where((row) => row.or([row('key_hash', '=', key_hash), row('expires_at', '<=', now)]))
    .returning(['user_id', 'expires_at', 'key_hash'])
    .execute();
  return rows
    .filter((row) => row.expires_at > now && row.key_hash.equals(key_hash))
    .map(({ user_id }) => user_id);
}

import type { RealmId, UserId } from '@bellhop/protocol';
import { type Insertable, sql } from 'kysely';

import type { Db, Tx } from '../../engine/call.ts';
import type { Tables } from '../../tables.ts';
import { columns } from '../users/queries.ts';

/** Lets bots of a realm be made one after the other, so that no two get the same name. */
export async function oneAtATime(tx: Tx, realm: RealmId): Promise<void> {
  await tx.selectFrom('realm').select('id').where('id', '=', realm).forNoKeyUpdate().execute();
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

/** The webhooks of those of these users that are active outgoing webhook bots. */
export async function serviceIdsOf(
  db: Db,
  realm: RealmId,
  ids: readonly number[],
): Promise<number[]> {
  const rows = await db
    .selectFrom('bot_service as s')
    .innerJoin('realm_user as u', 'u.id', 's.user_id')
    .select('s.id')
    .where('s.realm_id', '=', realm)
    .where(sql<boolean>`u.id = any(${ids}::bigint[])`)
    .where('u.is_active', '=', true)
    .where('u.bot_type', '=', 3)
    .orderBy('s.id')
    .execute();
  return rows.map(({ id }) => id);
}

/** One webhook, deactivated bots' too. */
export const service = (db: Db, realm: RealmId, id: number) =>
  db
    .selectFrom('bot_service')
    .select(['id', 'user_id', 'base_url', 'interface', 'token_sealed', 'disabled_at'])
    .where('realm_id', '=', realm)
    .where('id', '=', id)
    .executeTakeFirst();

/** Bots with what is theirs beyond a user: all of a realm, one owner's, or one. */
export function bots(
  db: Db,
  realm: RealmId,
  { owner_id, id }: { owner_id?: UserId; id?: UserId } = {},
) {
  const all = db
    .selectFrom('realm_user as u')
    .leftJoin('bot_profile as p', 'p.user_id', 'u.id')
    .leftJoin('channel as sending', 'sending.id', 'p.default_sending_channel_id')
    .leftJoin('channel as events', 'events.id', 'p.default_events_register_channel_id')
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

/** The webhooks of these bots. */
export const servicesOf = (db: Db, realm: RealmId, ids: readonly number[]) =>
  db
    .selectFrom('bot_service')
    .select(['user_id', 'base_url', 'interface', 'token_sealed'])
    .where('realm_id', '=', realm)
    .where(sql<boolean>`user_id = any(${ids}::bigint[])`)
    .orderBy('id')
    .execute();

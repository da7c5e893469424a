import type { RealmId, UserId } from '@bellhop/protocol';
import { sql } from 'kysely';

import type { Db, Tx } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';

/** The users whom a user has muted, in the order in which they muted them. */
export const ofUser = (db: Db, { id, realm_id }: Pick<User, 'id' | 'realm_id'>) =>
  db
    .selectFrom('muted_user')
    .select(['muted_user_id as id', 'muted_at as timestamp'])
    .where('realm_id', '=', realm_id)
    .where('user_id', '=', id)
    .orderBy('muted_at')
    .orderBy('muted_user_id')
    .execute();

/** False if the user is muted already. */
export async function add(
  tx: Tx,
  { id, realm_id }: User,
  { muted_user_id, muted_at }: { muted_user_id: UserId; muted_at: number },
): Promise<boolean> {
  const added = await tx
    .insertInto('muted_user')
    .values({ realm_id, user_id: id, muted_user_id, muted_at })
    .onConflict((same) => same.doNothing())
    .returning('muted_user_id')
    .executeTakeFirst();
  return added !== undefined;
}

/** False if the user is not muted. */
export async function remove(
  tx: Tx,
  { id, realm_id }: User,
  muted_user_id: UserId,
): Promise<boolean> {
  const removed = await tx
    .deleteFrom('muted_user')
    .where('realm_id', '=', realm_id)
    .where('user_id', '=', id)
    .where('muted_user_id', '=', muted_user_id)
    .returning('muted_user_id')
    .executeTakeFirst();
  return removed !== undefined;
}

/** The users who have muted each of these senders. */
export async function muting(
  db: Db,
  realm: RealmId,
  senders: readonly UserId[],
): Promise<Map<UserId, Set<UserId>>> {
  const rows = await db
    .selectFrom('muted_user')
    .select(['muted_user_id', 'user_id'])
    .where('realm_id', '=', realm)
    .where(sql<boolean>`muted_user_id = any(${senders}::bigint[])`)
    .execute();
  const bySender = Map.groupBy(rows, ({ muted_user_id }) => muted_user_id);
  return new Map(
    [...bySender].map(([sender, all]) => [sender, new Set(all.map(({ user_id }) => user_id))]),
  );
}

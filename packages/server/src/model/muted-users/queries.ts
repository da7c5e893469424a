import type { RealmId, UserId } from '@bellhop/protocol';
import { sql } from 'kysely';

import type { Db, Tx } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';
import { removesRow } from '../removes-row.ts';

declare module '../../engine/tables.ts' {
  interface Tables {
    muted_user: {
      realm_id: RealmId;
      user_id: UserId;
      muted_user_id: UserId;
      /** UNIX seconds. */
      muted_at: number;
    };
  }
}

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
export const remove = (tx: Tx, { id, realm_id }: User, muted_user_id: UserId): Promise<boolean> =>
  removesRow(
    tx
      .deleteFrom('muted_user')
      .where('realm_id', '=', realm_id)
      .where('user_id', '=', id)
      .where('muted_user_id', '=', muted_user_id),
  );

/** The users who have muted a user. */
export async function muting(
  db: Db,
  { id, realm_id }: Pick<User, 'id' | 'realm_id'>,
): Promise<ReadonlySet<UserId>> {
  const rows = await db
    .selectFrom('muted_user')
    .select('user_id')
    .where('realm_id', '=', realm_id)
    .where('muted_user_id', '=', id)
    .execute();
  return new Set(rows.map(({ user_id }) => user_id));
}

/** The users who have muted each of these senders, in their order. */
export async function mutingEach(
  db: Db,
  realm: RealmId,
  senders: readonly UserId[],
): Promise<ReadonlySet<UserId>[]> {
  const { rows } = await sql<{ at: number; user_id: UserId }>`
    select s.at::integer - 1 as at, m.user_id
    from unnest(${senders}::bigint[]) with ordinality s (id, at)
    join muted_user m on m.realm_id = ${realm} and m.muted_user_id = s.id`.execute(db);
  const muting = senders.map(() => new Set<UserId>());
  for (const { at, user_id } of rows) muting[at]?.add(user_id);
  return muting;
}

import type { RealmId, UserId, UserStatus } from '@bellhop/protocol';
import type { Generated } from 'kysely';

import type { Db, Tx } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';

declare module '../../engine/tables.ts' {
  interface Tables {
    user_status: {
      realm_id: RealmId;
      user_id: UserId;
      away: Generated<boolean>;
      status_text: Generated<string>;
      /** Empty: no emoji. */
      emoji_name: Generated<string>;
      emoji_code: Generated<string>;
      reaction_type: Generated<NonNullable<UserStatus['reaction_type']>>;
    };
  }
}

const columns = ['away', 'status_text', 'emoji_name', 'emoji_code', 'reaction_type'] as const;

/** The status of a user with its empty fields; undefined if the user never set one. */
export const ofUser = (db: Db, realm: RealmId, user: UserId) =>
  db
    .selectFrom('user_status')
    .select(columns)
    .where('realm_id', '=', realm)
    .where('user_id', '=', user)
    .executeTakeFirst();

/** The status of every user of a realm who ever set one. */
export const all = (db: Db, realm: RealmId) =>
  db
    .selectFrom('user_status')
    .select(['user_id', ...columns])
    .where('realm_id', '=', realm)
    .orderBy('user_id')
    .execute();

/** Changes the given fields of a status. */
export async function upsert(
  tx: Tx,
  { id, realm_id }: Pick<User, 'id' | 'realm_id'>,
  changes: UserStatus,
): Promise<void> {
  await tx
    .insertInto('user_status')
    .values({ realm_id, user_id: id, ...changes })
    .onConflict((same) => same.columns(['realm_id', 'user_id']).doUpdateSet({ ...changes }))
    .execute();
}

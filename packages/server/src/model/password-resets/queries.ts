import type { RealmId, UserId } from '@bellhop/protocol';
import type { Selectable } from 'kysely';

import type { Db, Tx } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';
import type { Tables } from '../../engine/tables.ts';

declare module '../../engine/tables.ts' {
  interface Tables {
    password_reset: {
      realm_id: RealmId;
      user_id: UserId;
      email: string;
      expires_at: number;
      token_mac: Buffer;
    };
  }
}

type PasswordResetRow = Selectable<Tables['password_reset']>;

/** The reset with this secret, unless it has expired. */
export const byToken = (
  db: Db,
  realm: RealmId,
  { token_mac, now }: { readonly token_mac: Buffer; readonly now: number },
): Promise<PasswordResetRow | undefined> =>
  db
    .selectFrom('password_reset')
    .selectAll()
    .where('realm_id', '=', realm)
    .where('token_mac', '=', token_mac)
    .where('expires_at', '>', now)
    .executeTakeFirst();

/** Stores a reset in place of an earlier one of the user. */
export async function replace(tx: Tx, row: PasswordResetRow): Promise<void> {
  await tx
    .insertInto('password_reset')
    .values(row)
    .onConflict((earlier) => earlier.columns(['realm_id', 'user_id']).doUpdateSet(row))
    .execute();
}

export async function remove(
  tx: Tx,
  { realm_id, id }: Pick<User, 'realm_id' | 'id'>,
): Promise<void> {
  await tx
    .deleteFrom('password_reset')
    .where('realm_id', '=', realm_id)
    .where('user_id', '=', id)
    .execute();
}

export async function removeExpired(tx: Tx, realm: RealmId, now: number): Promise<void> {
  await tx
    .deleteFrom('password_reset')
    .where('realm_id', '=', realm)
    .where('expires_at', '<=', now)
    .execute();
}

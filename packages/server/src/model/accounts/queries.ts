import type { RealmId, UserId } from '@bellhop/protocol';
import { sql } from 'kysely';

import type { Tx } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';

declare module '../../engine/tables.ts' {
  interface Tables {
    known_login: { realm_id: RealmId; user_id: UserId; device: Buffer; used_at: number };
  }
}

/** A user's devices beyond this number are forgotten, those first that were not used for the longest. */
const MAX_DEVICES = 50;

interface Login {
  /** A keyed digest of program and network. */
  readonly device: Buffer;
  /** UNIX time in seconds. */
  readonly now: number;
}

/** Stores that a user logged in with a device. Returns whether it is a new one. */
export async function rememberLogin(
  tx: Tx,
  { realm_id, id }: Pick<User, 'realm_id' | 'id'>,
  { device, now }: Login,
): Promise<boolean> {
  const added = await tx
    .insertInto('known_login')
    .values({ realm_id, user_id: id, device, used_at: now })
    .onConflict((known) =>
      known.columns(['realm_id', 'user_id', 'device']).doUpdateSet({ used_at: now }),
    )
    .returning(sql<boolean>`xmax = 0`.as('is_new'))
    .executeTakeFirstOrThrow();
  if (!added.is_new) return false;
  await sql`delete from known_login where realm_id = ${realm_id} and user_id = ${id} and device = any(array(
    select device from known_login where realm_id = ${realm_id} and user_id = ${id}
    order by used_at desc offset ${MAX_DEVICES}))`.execute(tx);
  return true;
}

import type { RealmId, UserId } from '@bellhop/protocol';
import { sql } from 'kysely';

import type { Db, Tx } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';

declare module '../../engine/tables.ts' {
  interface Tables {
    user_presence: {
      realm_id: RealmId;
      user_id: UserId;
      /** UNIX seconds, as is `connected_at`. */
      active_at: number;
      connected_at: number;
      update_number: number;
    };
    presence_counter: { realm_id: RealmId; last_number: number };
  }
}

/** UNIX seconds. */
export interface PresenceRow {
  readonly active_at: number;
  readonly connected_at: number;
}

export const ofUser = (
  db: Db,
  { id, realm_id }: Pick<User, 'id' | 'realm_id'>,
): Promise<PresenceRow | undefined> =>
  db
    .selectFrom('user_presence')
    .select(['active_at', 'connected_at'])
    .where('realm_id', '=', realm_id)
    .where('user_id', '=', id)
    .executeTakeFirst();

/** Stores the presence of a user under the next number of the realm. */
export async function store(
  tx: Tx,
  { id, realm_id }: User,
  { active_at, connected_at }: PresenceRow,
): Promise<void> {
  await sql`with counter as (
      insert into presence_counter (realm_id, last_number) values (${realm_id}, 1)
      on conflict (realm_id) do update
        set last_number = presence_counter.last_number + 1
      returning last_number
    ), stored as (
      insert into user_presence (realm_id, user_id, active_at, connected_at, update_number)
      select ${realm_id}, ${id}, ${active_at}, ${connected_at}, last_number from counter
      on conflict (realm_id, user_id) do update set active_at = excluded.active_at,
        connected_at = excluded.connected_at, update_number = excluded.update_number
    )
    select`.execute(tx);
}

export const remove = (tx: Tx, { id, realm_id }: User): Promise<unknown> =>
  tx
    .deleteFrom('user_presence')
    .where('realm_id', '=', realm_id)
    .where('user_id', '=', id)
    .execute();

/** Removes the presence of all users of a realm. */
export const removeAll = (tx: Tx, realm: RealmId): Promise<unknown> =>
  tx.deleteFrom('user_presence').where('realm_id', '=', realm).execute();

/** The users of a realm who were connected at this time (UNIX seconds) or later. */
export async function connectedSince(
  db: Db,
  realm: RealmId,
  since: number,
): Promise<ReadonlySet<UserId>> {
  const rows = await db
    .selectFrom('user_presence')
    .select('user_id')
    .where('realm_id', '=', realm)
    .where('connected_at', '>=', since)
    .execute();
  return new Set(rows.map(({ user_id }) => user_id));
}

interface PresenceFilter {
  /** Leaves out users who were last connected before this time, UNIX seconds. */
  readonly since: number;
  /** Selects only changes after this number. */
  readonly after: number;
}

/** The presence of the active users of a realm. */
export const recent = (db: Db, realm: RealmId, { since, after }: PresenceFilter) =>
  db
    .selectFrom('user_presence as p')
    .innerJoin('realm_user as u', (join) =>
      join.onRef('u.realm_id', '=', 'p.realm_id').onRef('u.id', '=', 'p.user_id'),
    )
    .select(['p.user_id', 'p.active_at', 'p.connected_at', 'p.update_number'])
    .where('p.realm_id', '=', realm)
    .where('u.is_active', '=', true)
    .where('p.connected_at', '>=', since)
    .where('p.update_number', '>', after)
    .orderBy('p.user_id')
    .execute();

/** For a new epoch of the database: clients remember the number of the newest presence. */
export const renumberPresences = (jump: number): string => `
  insert into presence_counter as c (realm_id, last_number) select id, ${jump} from realm
  on conflict (realm_id) do update set last_number = c.last_number + ${jump}`;

import type { MessageId, PushAccountId, RealmId, TraceAttempt, UserId } from '@bellhop/protocol';
import { type Selectable, sql } from 'kysely';

import type { Db, Tx } from '../../../engine/call.ts';
import type { User } from '../../../engine/caller.ts';
import type { Tables } from '../../../engine/tables.ts';
import type { PushFacts } from './push-facts.ts';

export type TraceRow = Selectable<Tables['push_trace']>;

/** An attempt at a push. */
export interface AttemptedPush {
  readonly cipher_id: string;
  readonly user_id: UserId;
  /** Null if the device registered by device_id. */
  readonly push_account_id: PushAccountId | null;
  readonly device_id: number | null;
  readonly message_id: MessageId | null;
  readonly facts: PushFacts;
  readonly attempt: TraceAttempt;
}

/**
 * Records attempts with one statement: the first of a push adds its trace. Returns the traces of the users
 * who have an event queue with the capability `console_events`.
 */
export async function addAttempts(
  tx: Tx,
  realm: RealmId,
  pushes: readonly AttemptedPush[],
): Promise<TraceRow[]> {
  if (pushes.length === 0) return [];
  const rows = pushes.map(({ push_account_id, attempt, ...row }) => ({
    ...row,
    push_account_id: push_account_id === null ? null : String(push_account_id),
    attempts: [attempt],
  }));
  const { rows: watched } = await sql<TraceRow>`
    with saved as (
      insert into push_trace as known
        (realm_id, cipher_id, user_id, push_account_id, device_id, message_id, facts, attempts)
      select ${realm}, fresh.* from json_to_recordset(${JSON.stringify(rows)}::json) as fresh
        (cipher_id text, user_id bigint, push_account_id bigint, device_id bigint,
          message_id bigint, facts json, attempts jsonb)
      on conflict (realm_id, cipher_id) do update set attempts = known.attempts || excluded.attempts
      returning *
    )
    select * from saved where exists (select from event_queue q where q.realm_id = ${realm}
      and q.user_id = saved.user_id
      and (q.registration -> 'capabilities' ->> 'console_events')::boolean)`.execute(tx);
  return watched;
}

interface TraceFilter {
  /** Only older ones than this. */
  readonly cursor?: number | undefined;
  readonly push_account_id?: PushAccountId | undefined;
  readonly device_id?: number | undefined;
  readonly message_id?: MessageId | undefined;
  readonly cipher_id?: string | undefined;
  readonly limit: number;
}

/** Traces of the pushes to a user that fit all that is given, the newest first. */
export function ofUser(
  db: Db,
  { id, realm_id }: Pick<User, 'id' | 'realm_id'>,
  { cursor, push_account_id, device_id, message_id, cipher_id, limit }: TraceFilter,
): Promise<TraceRow[]> {
  let query = db
    .selectFrom('push_trace')
    .selectAll()
    .where('realm_id', '=', realm_id)
    .where('user_id', '=', id);
  if (cursor !== undefined) query = query.where('trace_id', '<', cursor);
  if (push_account_id !== undefined) query = query.where('push_account_id', '=', push_account_id);
  if (device_id !== undefined) query = query.where('device_id', '=', device_id);
  if (message_id !== undefined) query = query.where('message_id', '=', message_id);
  if (cipher_id !== undefined) query = query.where('cipher_id', '=', cipher_id);
  return query.orderBy('trace_id', 'desc').limit(limit).execute();
}

/** Which of these ciphertexts are pushes to a user. */
export async function ciphersOf(
  db: Db,
  { id, realm_id }: Pick<User, 'id' | 'realm_id'>,
  cipher_ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('push_trace')
    .select('cipher_id')
    .where('realm_id', '=', realm_id)
    .where('user_id', '=', id)
    .where('cipher_id', 'in', cipher_ids)
    .execute();
  return new Set(rows.map(({ cipher_id }) => cipher_id));
}

/** Deletes the traces of a realm that are older than `seconds`, and all but the newest of each user. */
export async function removeOld(
  tx: Tx,
  realm: RealmId,
  { seconds, perUser }: { readonly seconds: number; readonly perUser: number },
): Promise<void> {
  await sql`delete from push_trace where realm_id = ${realm}
    and created_at < now() - ${seconds} * interval '1 second'`.execute(tx);
  await sql`delete from push_trace t using (
      select user_id, trace_id, row_number() over (partition by user_id order by trace_id desc) as place
      from push_trace where realm_id = ${realm}) old
    where t.realm_id = ${realm} and t.user_id = old.user_id and t.trace_id = old.trace_id
      and old.place > ${perUser}`.execute(tx);
}

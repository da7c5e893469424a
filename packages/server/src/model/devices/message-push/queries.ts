import { numberArray } from '@bellhop/postgres';
import type { MessageId, RealmId, UserId } from '@bellhop/protocol';
import { sql } from 'kysely';

import type { Tx } from '../../../engine/call.ts';
import { isReadableBy } from '../../channels/channel-rights.ts';
import { flagBits } from '../../messages/read/flags.ts';
import { ownFlags } from '../../messages/read/received.ts';
import { lockAll } from '../../users/queries.ts';

interface PushedMessage {
  readonly realm: RealmId;
  readonly message: MessageId;
  readonly users: readonly UserId[];
  readonly jobId: string;
}

/** A recipient to whom a message is about to be pushed. */
export interface PushRecipient {
  readonly user_id: UserId;
  readonly flags: number;
}

/**
 * Records that a message is about to be pushed to those of the users who have it unread, may read it
 * and have not been sent it before. Locks these users: one who reads the message later finds the record.
 */
export async function claimPushes(
  tx: Tx,
  { realm, message, users, jobId }: PushedMessage,
): Promise<PushRecipient[]> {
  await lockAll(tx, realm, users);
  const { rows } = await sql<PushRecipient>`
    with recipient as materialized (
      select u.id as user_id, um.flags from unnest(${numberArray(users)}::bigint[]) n (id)
      join realm_user u on u.realm_id = ${realm} and u.id = n.id and u.is_active
      join message m on m.realm_id = ${realm} and m.id = ${message}
      left join channel c on c.realm_id = m.realm_id and c.id = m.channel_id
      cross join ${ownFlags(realm, sql`u.id`)}
      where um.flags & ${sql.lit(flagBits.read)} = 0
        and (m.channel_id is null or ${isReadableBy(realm, 'c', {
          row: 'u',
          isSubscribed: sql`exists (
            select from subscription s where s.realm_id = ${realm} and s.user_id = u.id
              and s.channel_id = m.channel_id and s.is_active)`,
        })})
      order by u.id
    ), claimed as (
      insert into message_push (realm_id, user_id, message_id, job_id)
      select ${realm}, user_id, ${message}, ${jobId}::uuid from recipient
      on conflict (realm_id, user_id, message_id)
        do update set job_id = excluded.job_id, is_withdrawn = false where not message_push.is_sent
      returning user_id
    )
    select r.user_id, r.flags from claimed join recipient r using (user_id)
    order by r.user_id`.execute(tx);
  return rows;
}

/**
 * Records that a job has ended: the phones of its users may show the message. Returns those who have read
 * it since it was claimed, or may no longer read it.
 */
export async function endPushes(
  tx: Tx,
  { realm, jobId }: Pick<PushedMessage, 'realm' | 'jobId'>,
): Promise<OutdatedPush[]> {
  await tx
    .updateTable('message_push')
    .set({ is_sent: true })
    .where('realm_id', '=', realm)
    .where('job_id', '=', jobId)
    .where('is_sent', '=', false)
    .where('is_withdrawn', '=', false)
    .execute();
  return tx
    .deleteFrom('message_push')
    .where('realm_id', '=', realm)
    .where('job_id', '=', jobId)
    .where('is_sent', '=', false)
    .where('is_withdrawn', '=', true)
    .returning(['user_id', 'message_id'])
    .execute();
}

/** A push that a phone may show although its user has read the message or may no longer read it. */
export interface OutdatedPush {
  readonly user_id: UserId;
  readonly message_id: MessageId;
}

/** Messages that users have read or may no longer read. */
export interface ReadMessages {
  readonly messages: readonly MessageId[];
  /** Undefined: all recipients. */
  readonly users?: readonly UserId[];
}

/**
 * Deletes the records of the pushes of messages that the user has read or no longer has, and returns them.
 * A push whose job has not ended is marked instead: the phone may get it after the caller's transaction.
 */
export async function takeOutdated(
  tx: Tx,
  realm: RealmId,
  { messages, users }: ReadMessages,
): Promise<OutdatedPush[]> {
  const ofUsers = users ? sql`and p.user_id = any(${users}::bigint[])` : sql``;
  const isOutdated = sql`p.realm_id = ${realm} and p.message_id = any(${messages}::bigint[]) ${ofUsers}
    and not exists (select from user_message um where um.realm_id = p.realm_id
      and um.user_id = p.user_id and um.message_id = p.message_id
      and um.flags & ${sql.lit(flagBits.read)} = 0)`;
  // The order of the statements matters: a job that ends in between marks its push for deletion.
  await sql`update message_push p set is_withdrawn = true
    where not p.is_sent and not p.is_withdrawn and ${isOutdated}`.execute(tx);
  const { rows } = await sql<OutdatedPush>`delete from message_push p
    where p.is_sent and ${isOutdated} returning p.user_id, p.message_id`.execute(tx);
  return rows;
}

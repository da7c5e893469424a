import type { MessageChangeKind, MessageId, RealmId, UserId } from '@bellhop/protocol';
import { sql } from 'kysely';

import type { Db, Tx } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';

declare module '../../engine/tables.ts' {
  interface Tables {
    bot_change: { realm_id: RealmId; user_id: UserId; kind: MessageChangeKind };
  }
}

type Bot = Pick<User, 'id' | 'realm_id'>;

/** The kinds of changes that a bot receives. */
export async function ofBot(db: Db, { id, realm_id }: Bot): Promise<MessageChangeKind[]> {
  const rows = await db
    .selectFrom('bot_change')
    .select('kind')
    .where('realm_id', '=', realm_id)
    .where('user_id', '=', id)
    .orderBy('kind')
    .execute();
  return rows.map(({ kind }) => kind);
}

/** Replaces the kinds of changes that a bot receives. */
export async function replace(
  tx: Tx,
  { id, realm_id }: Bot,
  kinds: readonly MessageChangeKind[],
): Promise<void> {
  await tx
    .deleteFrom('bot_change')
    .where('realm_id', '=', realm_id)
    .where('user_id', '=', id)
    .execute();
  const rows = [...new Set(kinds)].map((kind) => ({ realm_id, user_id: id, kind }));
  if (rows.length > 0)
    await tx
      .insertInto('bot_change')
      .values(rows)
      .onConflict((same) => same.doNothing())
      .execute();
}

interface ChangedMessage {
  readonly kind: MessageChangeKind;
  readonly message_id: MessageId;
  /** UNIX seconds. */
  readonly now: number;
}

export interface ChangeReceiver {
  readonly service_id: number;
  readonly owner_id: UserId | null;
}

/**
 * The webhooks that get changes of this kind, of bots that have sent the message, take part in it as a
 * direct message, or are subscribed to its topic.
 */
export async function receiversOf(
  db: Db,
  realm: RealmId,
  { kind, message_id, now }: ChangedMessage,
): Promise<readonly ChangeReceiver[]> {
  const { rows } = await sql<ChangeReceiver>`
    select s.id as service_id, u.bot_owner_id as owner_id
    from bot_change b
    join realm_user u on u.realm_id = b.realm_id and u.id = b.user_id
    join bot_service s on s.realm_id = b.realm_id and s.user_id = b.user_id
    join message m on m.realm_id = b.realm_id and m.id = ${message_id}
    where b.realm_id = ${realm} and b.kind = ${kind}
      and u.is_active and u.bot_type = 3 and s.interface = 1
      and (m.sender_id = u.id
        or exists (select from recipient r where r.realm_id = ${realm}
          and r.id = m.recipient_id and u.id = any(r.user_ids))
        or exists (select from bot_topic t where t.realm_id = ${realm} and t.user_id = u.id
          and t.channel_id = m.channel_id and t.topic_key = lower(m.topic)
          and t.expires_at > ${now}))
    order by s.id`.execute(db);
  return rows;
}

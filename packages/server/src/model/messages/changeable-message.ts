import {
  badRequest,
  type ChannelId,
  type MessageId,
  type RealmId,
  type RecipientId,
  type UserId,
} from '@bellhop/protocol';
import { sql } from 'kysely';

import type { Db, Tx } from '../../engine/call.ts';
import type { User, UserInRealm } from '../../engine/caller.ts';
import * as channelRows from '../channels/channel-rows.ts';
import type { ChannelRow } from '../channels/channel-rows.ts';
import { messagesOf, withChannels } from './read/readable.ts';

interface MessageFacts {
  readonly id: MessageId;
  readonly sender_id: UserId;
  readonly recipient_id: RecipientId;
  readonly channel_id: ChannelId | null;
  readonly topic: string;
  readonly content: string;
  readonly rendered_content: string;
  readonly sent_at: number;
}

/** A message as a change needs it. */
export interface ChangeableMessage extends MessageFacts {
  /** Null for direct messages. */
  readonly channel: ChannelRow | null;
}

/**
 * Locks a message against other changes until the commit. Throws BAD_REQUEST if the user may not read it
 * or its channel is archived.
 */
export async function changeableMessage(
  tx: Tx,
  { realm, user }: UserInRealm,
  id: MessageId,
): Promise<ChangeableMessage> {
  return withChannel(tx, realm.id, await readableRow(tx, user, { id, lock: true }));
}

/** The same without the lock: another change may follow before the commit. */
export async function unlockedMessage(
  db: Db,
  { realm, user }: UserInRealm,
  id: MessageId,
): Promise<ChangeableMessage> {
  return withChannel(db, realm.id, await readableRow(db, user, { id, lock: false }));
}

async function withChannel(
  db: Db,
  realm_id: RealmId,
  row: MessageFacts | undefined,
): Promise<ChangeableMessage> {
  if (!row) throw badRequest('Invalid message(s)');
  if (row.channel_id === null) return { ...row, channel: null };
  const [channel] = await channelRows.byIds(db, realm_id, [row.channel_id]);
  if (!channel) throw badRequest('Invalid message(s)');
  if (channel.is_archived) throw badRequest('Messages of an archived channel cannot be changed.');
  return { ...row, channel };
}

async function readableRow(
  db: Db,
  user: User,
  { id, lock }: { readonly id: MessageId; readonly lock: boolean },
): Promise<MessageFacts | undefined> {
  const { from, allowed } = messagesOf(user, { history: true, ids: sql`= ${id}` });
  const { rows } = await sql<MessageFacts>`
    ${withChannels(user)} select m.id, m.sender_id, m.recipient_id, m.channel_id, m.topic,
      m.content, m.rendered_content, m.sent_at
    from ${from} and ${allowed} ${lock ? sql`for no key update of m` : sql``}`.execute(db);
  return rows[0];
}

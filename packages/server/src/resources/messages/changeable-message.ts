import {
  badRequest,
  type ChannelId,
  type MessageId,
  type RecipientId,
  type UserId,
} from '@bellhop/protocol';
import { sql } from 'kysely';

import type { Tx } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import * as channelRows from '../channels/channel-rows.ts';
import type { ChannelRow } from '../channels/channel-rows.ts';
import { messagesOf, withChannels } from './read/readable.ts';

interface LockedMessage {
  readonly id: MessageId;
  readonly sender_id: UserId;
  readonly recipient_id: RecipientId;
  readonly channel_id: ChannelId | null;
  readonly topic: string;
  readonly content: string;
  readonly rendered_content: string;
  readonly sent_at: number;
}

/** A message locked against other changes until the commit. */
export interface ChangeableMessage extends LockedMessage {
  /** Null for direct messages. */
  readonly channel: ChannelRow | null;
}

/** Locks a message. Throws BAD_REQUEST if the user may not read it or its channel is archived. */
export async function changeableMessage(
  tx: Tx,
  { realm, user }: { realm: Realm; user: User },
  id: MessageId,
): Promise<ChangeableMessage> {
  const row = await lockReadable(tx, user, id);
  if (!row) throw badRequest('Invalid message(s)');
  if (row.channel_id === null) return { ...row, channel: null };
  const [channel] = await channelRows.byIds(tx, realm.id, [row.channel_id]);
  if (!channel) throw badRequest('Invalid message(s)');
  if (channel.is_archived) throw badRequest('Messages of an archived channel cannot be changed.');
  return { ...row, channel };
}

async function lockReadable(tx: Tx, user: User, id: MessageId): Promise<LockedMessage | undefined> {
  const { from, allowed } = messagesOf(user, { history: true, ids: sql`= ${id}` });
  const { rows } = await sql<LockedMessage>`
    ${withChannels(user)} select m.id, m.sender_id, m.recipient_id, m.channel_id, m.topic,
      m.content, m.rendered_content, m.sent_at
    from ${from} and ${allowed} for no key update of m`.execute(tx);
  return rows[0];
}

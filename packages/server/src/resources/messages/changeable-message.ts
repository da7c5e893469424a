import { badRequest, type MessageId } from '@bellhop/protocol';

import type { Tx } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import * as channelRows from '../channels/channel-rows.ts';
import type { ChannelRow } from '../channels/channel-rows.ts';
import { lockReadable, type LockedMessage } from './edit/edit-queries.ts';

/** A message about to be changed, held against other changes until the commit. */
export interface ChangeableMessage extends LockedMessage {
  readonly id: MessageId;
  /** Null for direct messages. */
  readonly channel: ChannelRow | null;
}

/** Throws BAD_REQUEST where somebody may not read a message, or its channel is archived. */
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

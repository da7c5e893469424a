import type { MessageId } from '@bellhop/protocol';

import type { Tx } from '../../../engine/call.ts';
import type { User } from '../../../engine/caller.ts';
import { readable } from '../read/readable.ts';
import { lockTopic } from './queries.ts';

/**
 * Locks all messages of the topic of a message, oldest first. A change that locks the message itself first
 * and the older ones later would wait for another such change that waits for it.
 */
export async function lockWholeTopic(tx: Tx, user: User, id: MessageId): Promise<void> {
  const message = await readable(tx, user, id);
  if (!message || message.channel_id === null) return;
  const { channel_id, topic } = message;
  await lockTopic(tx, user, { channel_id, topic, since: 0 });
}

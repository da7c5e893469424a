import type { Tx } from '../../../engine/call.ts';
import type { User } from '../../../engine/caller.ts';
import type { ChangeableMessage } from '../changeable-message.ts';
import { lockTopic } from './queries.ts';

/**
 * Locks all messages of the topic of a message, oldest first. A change that locks the message itself first
 * and the older ones later would wait for another such change that waits for it.
 */
export async function lockWholeTopic(
  tx: Tx,
  user: User,
  { channel, topic }: ChangeableMessage,
): Promise<void> {
  if (channel) await lockTopic(tx, user, { channel_id: channel.id, topic, since: 0 });
}

import type { Delivery } from '../delivery.ts';
import { conversationOf } from '../rest/conversation.ts';
import type { CheckedReply } from '../rest/reply.ts';
import type { BotServices } from '../routing/turn.ts';
import { sendOnce } from './send-once.ts';

/** Sends the reply of a delivery that has no webhook response. Rejects if the server refuses it. */
export async function sendReply(
  { replySender }: Pick<BotServices, 'replySender'>,
  delivery: Delivery,
  reply: CheckedReply,
): Promise<void> {
  const conversation = conversationOf(delivery);
  if (replySender) await sendOnce(replySender, { conversation, after: delivery.message.id, reply });
}

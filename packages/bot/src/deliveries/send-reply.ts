import type { Delivery } from '../delivery.ts';
import type { CheckedReply } from '../reply.ts';
import { conversationOf } from '../rest/conversation.ts';
import type { BotServices } from '../turn.ts';
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

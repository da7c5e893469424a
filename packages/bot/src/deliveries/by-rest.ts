import type { Delivery } from '../delivery.ts';
import { type AnyBot, internals, withInternals } from '../internals.ts';
import type { CheckedReply } from '../reply.ts';
import { conversationOf } from '../rest/conversation.ts';
import { restReplySender } from '../rest/rest-reply-sender.ts';
import type { Rest } from '../rest/rest.ts';
import { sendOnce } from './send-once.ts';

/** A copy of a bot with this REST API and without its store: a repeated delivery is handled again. */
export const withRest = (bot: AnyBot, rest: Rest): AnyBot =>
  withInternals(bot, { rest, replySender: restReplySender(rest, bot.email), store: undefined });

/** Sends the reply of a delivery that has no webhook response. Rejects if the server refuses it. */
export async function sendReply(
  bot: AnyBot,
  delivery: Delivery,
  reply: CheckedReply,
): Promise<void> {
  const { replySender } = bot[internals];
  const conversation = conversationOf(delivery);
  if (replySender) await sendOnce(replySender, { conversation, after: delivery.message.id, reply });
}

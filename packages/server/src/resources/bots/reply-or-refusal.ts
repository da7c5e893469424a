import { ApiError, type DeliveryReply } from '@bellhop/protocol';

import type { Change } from '../../engine/call.ts';
import { type BotMessage, replyAsBot } from './send-as-bot.ts';

/** Replies as the bot; an unacceptable reply is not an error but a refusal. */
export async function replyOrRefusal(change: Change, message: BotMessage): Promise<DeliveryReply> {
  try {
    const message_id = await replyAsBot(change, message);
    return { outcome: 'sent', message_id, reason: null };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { outcome: 'refused', message_id: null, reason: error.message };
  }
}

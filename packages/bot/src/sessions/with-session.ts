import { BotError } from '../bot-error.ts';
import { conversationKey } from '../deliveries/conversation.ts';
import type { DeliveryContext } from '../delivery-context.ts';
import type { HandlerResult } from '../reply.ts';
import type { Sessions } from './sessions.ts';

/** How often a message is handled anew because another changed its session meanwhile. */
const ATTEMPTS = 3;

/**
 * Runs handlers with what the bot remembers, and keeps what they changed before their reply is
 * given. When another message was first, the handler runs again on what that one left, unless
 * something was said already.
 */
export function withSession<T>(
  sessions: Sessions<T>,
  handle: (context: DeliveryContext) => Promise<HandlerResult>,
): (context: DeliveryContext) => Promise<HandlerResult> {
  return async (context) => {
    const { delivery } = context;
    const key = sessions.key({
      bot_email: delivery.bot_email,
      conversation: conversationKey(delivery),
      sender_id: delivery.message.sender.id,
    });
    for (let attempt = 1; ; attempt++) {
      const session = await sessions.load(key);
      context.session = session.value;
      const result = await handle(context);
      session.value = context.session as T;
      try {
        await session.save();
        return result;
      } catch (error) {
        const conflict = error instanceof BotError && error.code === 'session_conflict';
        if (!conflict || attempt === ATTEMPTS || !context.retract()) throw error;
      }
    }
  };
}

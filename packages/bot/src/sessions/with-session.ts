import { BotError } from '../bot-error.ts';
import type { DeliveryContext } from '../delivery-context.ts';
import { actorOf } from '../delivery.ts';
import type { HandlerResult } from '../reply.ts';
import { conversationKey } from '../rest/conversation.ts';
import type { Sessions } from './sessions.ts';

/** How often the handler runs for one message if other messages change its session. */
const MAX_ATTEMPTS = 3;

/**
 * Runs a handler with its session and saves the session before the reply is sent. If another message
 * changed the session, the handler runs again on the newer session, unless a reply was sent already.
 */
export function withSession<T>(
  sessions: Sessions<T>,
  handle: (context: DeliveryContext) => Promise<HandlerResult>,
): (context: DeliveryContext) => Promise<HandlerResult> {
  return async (context) => {
    const { delivery } = context;
    const key = sessions.key({
      botEmail: delivery.botEmail,
      conversation: conversationKey(delivery),
      senderId: actorOf(delivery).id,
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
        if (!conflict || attempt === MAX_ATTEMPTS || !context.retract()) throw error;
      }
    }
  };
}

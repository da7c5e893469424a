import { BotError } from '../bot-error.ts';
import { actorOf } from '../delivery.ts';
import { conversationKey } from '../rest/conversation.ts';
import type { HandlerResult } from '../rest/reply.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { Turn } from './turn.ts';

/** How often the handler runs for one message if other messages change its session. */
const MAX_ATTEMPTS = 3;

/**
 * Runs a handler with its session and saves the session before the reply is sent. If another message
 * changed the session, the handler runs again on the newer session, unless a reply was sent already.
 */
export function withSession<T>(
  sessions: Sessions<T>,
  handle: (turn: Turn) => Promise<HandlerResult>,
): (turn: Turn) => Promise<HandlerResult> {
  return async (turn) => {
    const { delivery, context, services, run } = turn;
    const key = sessions.key({
      botEmail: delivery.botEmail,
      conversation: conversationKey(delivery),
      senderId: actorOf(delivery).id,
    });
    for (let attempt = 1; ; attempt++) {
      const session = await sessions.load(key, services.warn);
      context.session = session.value;
      const result = await handle(turn);
      session.value = context.session as T;
      try {
        await session.save();
        return result;
      } catch (error) {
        const conflict = error instanceof BotError && error.code === 'session_conflict';
        if (!conflict || attempt === MAX_ATTEMPTS || !run.replies.retract()) throw error;
      }
    }
  };
}

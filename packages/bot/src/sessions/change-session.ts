import { BotError } from '../bot-error.ts';
import type { Warn } from '../hooks.ts';
import { type Conversation, destinationKey } from '../rest/conversation.ts';
import type { Sessions } from './sessions.ts';

/** The owner of a session: the fields that the scope needs, none for the scope `bot`. */
export interface SessionOwner {
  readonly userId?: number;
  readonly conversation?: Conversation;
}

/**
 * Calls a function with a session, and saves what it has changed. Calls it again with the newer value if
 * a message has changed the session meanwhile: it must have no effects elsewhere.
 */
export type ChangeSession<Session> = <T>(
  change: (session: Session) => T | Promise<T>,
  owner?: SessionOwner,
) => Promise<T>;

const MAX_ATTEMPTS = 5;

/** Changes sessions outside of a message, as in schedules and tasks. */
export function changeSession<Session>(
  sessions: Sessions<Session> | undefined,
  { botEmail, warn }: { readonly botEmail: string; readonly warn: Warn },
): ChangeSession<Session> {
  return async (change, { userId = 0, conversation } = {}) => {
    if (sessions === undefined)
      throw new BotError('config_invalid', 'The bot has no sessions: give createBot `session`.');
    const key = sessions.key({
      botEmail,
      conversation: conversation === undefined ? '' : destinationKey(conversation),
      senderId: userId,
    });
    for (let attempt = 1; ; attempt++) {
      const session = await sessions.load(key, warn);
      const result = await change(session.value);
      try {
        await session.save();
        return result;
      } catch (error) {
        const isConflict = error instanceof BotError && error.code === 'session_conflict';
        if (!isConflict || attempt === MAX_ATTEMPTS) throw error;
      }
    }
  };
}

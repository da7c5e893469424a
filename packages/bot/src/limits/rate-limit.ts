import { isAddressed, type Trigger } from '../delivery.ts';
import { type Conversation, destinationKey } from '../rest/conversation.ts';
import type { Middleware } from '../routing/middleware.ts';
import { Allowance, type Rate } from './allowance.ts';

export interface RateLimitOptions {
  /** How many messages of one person are answered. */
  readonly perUser?: Rate;
  /** How many messages of one conversation are answered. */
  readonly perConversation?: Rate;
  /** The reply to the first message above a limit; later ones get none. */
  readonly reply?: (waitSeconds: number) => string;
}

/** The part of a context that limits use. */
export interface LimitedContext {
  readonly trigger: Trigger;
  readonly by?: { readonly id: number } | undefined;
  readonly conversation: Conversation;
  readonly message: { readonly sender: { readonly id: number }; readonly timestamp: number };
}

const defaultReply = (seconds: number) =>
  `That is too much at once for me. Please ask again in ${seconds} s.`;

/**
 * Middleware that answers only so many messages. Counts in the memory of the process, by the time of the
 * messages. A follow-up, and a change of a message, above a limit gets no reply.
 */
export function rateLimit({
  perUser,
  perConversation,
  reply = defaultReply,
}: RateLimitOptions): Middleware<LimitedContext> {
  const byUser = perUser && new Allowance(perUser);
  const byConversation = perConversation && new Allowance(perConversation);
  return (context, next) => {
    const now = timeOf(context);
    const limits = [
      [byUser, userKey(context)],
      [byConversation, destinationKey(context.conversation)],
    ] as const;
    for (const [allowance, key] of limits) {
      const waitMs = allowance?.waitMs(key, now) ?? 0;
      if (allowance === undefined || waitMs === 0) continue;
      if (!isAddressed(context) || !allowance.tellsFirst(key, now)) return undefined;
      return reply(Math.ceil(waitMs / 1000));
    }
    for (const [allowance, key] of limits) allowance?.spend(key, 1, now);
    return next();
  };
}

export const userIdOf = ({ by, message }: LimitedContext): number => (by ?? message.sender).id;
export const userKey = (context: LimitedContext): string => String(userIdOf(context));
/** Milliseconds since 1970. */
export const timeOf = ({ message }: LimitedContext): number => message.timestamp * 1000;

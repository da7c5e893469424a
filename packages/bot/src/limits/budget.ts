import { isAddressed } from '../delivery.ts';
import type { Middleware } from '../routing/middleware.ts';
import { Allowance, type Rate } from './allowance.ts';
import { type LimitedContext, timeOf, userIdOf, userKey } from './rate-limit.ts';

export interface BudgetOptions {
  /** The amount that one person may spend: tokens, cents, or another unit of the bot. */
  readonly perUser?: Rate;
  /** The amount that all people may spend together. */
  readonly total?: Rate;
  /** The reply to a message of a person whose budget is spent. */
  readonly reply?: (waitSeconds: number) => string;
  /** Called with each expense, for an audit log or a store of your own. */
  readonly onSpent?: (expense: { readonly userId: number; readonly amount: number }) => void;
}

export interface Budget {
  /** Answers in place of the handlers when nothing is left. */
  readonly middleware: Middleware<LimitedContext>;
  /** Counts the cost of an answer. The last answer may exceed the budget. */
  readonly spend: (context: LimitedContext, amount: number) => void;
}

const defaultReply = (seconds: number) =>
  `The budget for my answers is spent. Please ask again in ${Math.ceil(seconds / 60)} min.`;
const ALL = 'all';

/** A budget of tokens or money. Counts in the memory of the process, by the time of the messages. */
export function budget({ perUser, total, reply = defaultReply, onSpent }: BudgetOptions): Budget {
  const byUser = perUser && new Allowance(perUser);
  const byAll = total && new Allowance(total);
  return {
    middleware(context, next) {
      const now = timeOf(context);
      const waits = [byUser?.waitMs(userKey(context), now), byAll?.waitMs(ALL, now)];
      const waitMs = Math.max(...waits.map((one) => one ?? 0));
      if (waitMs === 0) return next();
      return isAddressed(context) ? reply(Math.ceil(waitMs / 1000)) : undefined;
    },
    spend(context, amount) {
      if (!(amount >= 0)) throw new RangeError('An expense is a number of at least 0.');
      const now = timeOf(context);
      byUser?.spend(userKey(context), amount, now);
      byAll?.spend(ALL, amount, now);
      onSpent?.({ userId: userIdOf(context), amount });
    },
  };
}

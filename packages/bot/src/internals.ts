import type { Clock } from './clock.ts';
import type { Order } from './deliveries/conversation-order.ts';
import type { ReplySender } from './deliveries/reply-sender.ts';
import type { DeliveryContext, ContextBackend } from './delivery-context.ts';
import type { Failure, Warning } from './hooks.ts';
import type { HandlerResult, CheckedReply } from './reply.ts';
import type { Rest } from './rest/rest.ts';
import type { BackgroundWork } from './schedules/background-work.ts';
import type { Store } from './stores/store.ts';

/** The key of what a bot keeps from its author, and shows to what serves it. */
export const internals = Symbol('inside');

/** A bot as that which serves it sees it. */
export interface BotInternals {
  readonly tokenDigests: readonly Buffer[];
  readonly clock: Clock;
  /** Times the pauses between edits of a streamed reply; in a test it does not wait. */
  readonly pauseClock: Clock;
  readonly order: Order;
  /** Undefined when the bot has no API key: then everything it says goes in the answers. */
  readonly replySender: ReplySender | undefined;
  /** What the speaker speaks by. */
  readonly rest: Rest | undefined;
  /** Whether people see that a handler works. */
  readonly typing: boolean;
  /** Undefined when nothing was given: a crash then loses pending replies. */
  readonly store: Store | undefined;
  readonly handlerTimeoutMs: number;
  readonly maxWaiting: number;
  readonly maxRepliesPerMinute: number;
  /** Runs middleware and the handler that matches. */
  readonly respond: (context: DeliveryContext) => Promise<HandlerResult>;
  readonly begin: ContextBackend['begin'];
  readonly later: ContextBackend['later'];
  /** Begins schedules and tasks, once; returns what ends them. */
  readonly startWork: BackgroundWork['start'];
  /** Where warnings go: the hooks of what serves the bot. */
  readonly warnings: { tell: (warning: Warning) => void };
  /** Tells the user of a failure. */
  readonly explain: (
    failure: Failure,
    context: DeliveryContext,
  ) => Promise<CheckedReply | undefined>;
}

/** A bot to be served, whatever its sessions hold. */
export interface AnyBot {
  readonly email: string;
  readonly [internals]: BotInternals;
}

/** The same bot with some of its internals replaced: to run it in memory, or to watch it. */
export const withInternals = (bot: AnyBot, replaced: Partial<BotInternals>): AnyBot => ({
  email: bot.email,
  [internals]: { ...bot[internals], ...replaced },
});

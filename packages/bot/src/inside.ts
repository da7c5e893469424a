import type { Clock } from './clock.ts';
import type { Order } from './deliveries/conversation-order.ts';
import type { Speaker } from './deliveries/speaker.ts';
import type { Failure, Warning } from './hooks.ts';
import type { LiveContext, Means } from './live-context.ts';
import type { HandlerResult, CheckedReply } from './reply.ts';
import type { Rest } from './rest/rest.ts';
import type { TimedWork } from './schedules/timed-work.ts';
import type { Store } from './stores/store.ts';

/** The key of what a bot keeps from its author, and shows to what serves it. */
export const inside = Symbol('inside');

/** A bot as that which serves it sees it. */
export interface BotInside {
  readonly tokenDigests: readonly Buffer[];
  readonly clock: Clock;
  /** By which the pauses between edits are made; a test has none. */
  readonly pauses: Clock;
  readonly order: Order;
  /** Undefined when the bot has no API key: then everything it says goes in the answers. */
  readonly speaker: Speaker | undefined;
  /** What the speaker speaks by. */
  readonly rest: Rest | undefined;
  /** Whether people see that a handler works. */
  readonly typing: boolean;
  /** Undefined when nothing was given: what the bot owes is then lost in a crash. */
  readonly store: Store | undefined;
  readonly handlerTimeoutMs: number;
  readonly maxWaiting: number;
  readonly maxRepliesPerMinute: number;
  /** Runs middleware and the handler that matches. */
  readonly respond: (context: LiveContext) => HandlerResult | Promise<HandlerResult>;
  readonly begin: Means['begin'];
  readonly later: Means['later'];
  /** Begins schedules and tasks, once; returns what ends them. */
  readonly startWork: TimedWork['start'];
  /** Where warnings go: the hooks of what serves the bot. */
  readonly warnings: { tell: (warning: Warning) => void };
  /** Tells the user of a failure. */
  readonly explain: (failure: Failure, context: LiveContext) => Promise<CheckedReply | undefined>;
}

/** A bot to be served, whatever its sessions hold. */
export interface AnyBot {
  readonly email: string;
  readonly [inside]: BotInside;
}

/** The same bot with some of its internals replaced: to run it in memory, or to watch it. */
export const withInternals = (bot: AnyBot, replaced: Partial<BotInside>): AnyBot => ({
  email: bot.email,
  [inside]: { ...bot[inside], ...replaced },
});

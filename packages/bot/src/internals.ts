import type { Clock } from './clock.ts';
import type { Order } from './deliveries/conversations.ts';
import type { ReplySender } from './deliveries/reply-sender.ts';
import type { BotServices, DeliveryContext } from './delivery-context.ts';
import type { ChangeTrigger } from './delivery.ts';
import type { Failure, Warning } from './hooks.ts';
import type { HandlerResult, CheckedReply } from './reply.ts';
import type { BackgroundWork, Life } from './schedules/background-work.ts';
import type { Store } from './stores/store.ts';
import type { RecordAction } from './trust/audit.ts';
import type { ComparableToken } from './webhook-token.ts';

/** The key of the part of a bot that handlers do not use: it is for servers and adapters. */
export const internals = Symbol('internals');

/** The part of a bot that servers and adapters use. */
export interface BotInternals extends BotServices {
  readonly tokens: readonly ComparableToken[];
  readonly clock: Clock;
  readonly order: Order;
  /** Undefined for a bot without an API key: its replies go in the answers only. */
  readonly replySender: ReplySender | undefined;
  /** Whether users see the bot typing while a handler runs. */
  readonly typing: boolean;
  /** Undefined for a bot without a store: a crash loses its pending replies. */
  readonly store: Store | undefined;
  readonly handlerTimeoutMs: number;
  readonly maxWaiting: number;
  readonly maxRepliesPerMinute: number;
  /** Adds an action of the bot to its audit log; undefined for a bot without one. */
  readonly record: RecordAction | undefined;
  /** Runs middleware and the handler that matches. */
  readonly respond: (context: DeliveryContext) => Promise<HandlerResult>;
  /** The changes of messages for which the bot has handlers, or questions that they answer. */
  readonly changes: () => readonly ChangeTrigger[];
  /** Whether the bot has handlers for changes, beyond reactions that answer its questions. */
  readonly needsChanges: () => boolean;
  readonly life: Life;
  /** Whether the bot has schedules, and whether it has schedules or tasks. */
  readonly declaredWork: BackgroundWork['declared'];
  /** Starts schedules and tasks, once; returns a function that stops them. */
  readonly startWork: BackgroundWork['start'];
  /** Calls the hook for warnings of the server or adapter. */
  readonly warnings: { tell: (warning: Warning) => void };
  /** Returns the reply to a message whose handler has failed. */
  readonly explain: (
    failure: Failure,
    context: DeliveryContext,
  ) => Promise<CheckedReply | undefined>;
}

/** A bot with sessions of any type. */
export interface AnyBot {
  readonly email: string;
  readonly [internals]: BotInternals;
}

/** A copy of a bot with some of its internals replaced. */
export const withInternals = (bot: AnyBot, replaced: Partial<BotInternals>): AnyBot => ({
  email: bot.email,
  [internals]: { ...bot[internals], ...replaced },
});

import type { ChangeTrigger } from './delivery.ts';
import type { BotServices } from './routing/turn.ts';
import type { BackgroundWork } from './schedules/background-work.ts';
import type { ComparableToken } from './webhook-token.ts';

/** The key of the part of a bot that handlers do not use: it is for runtimes. */
export const internals = Symbol('internals');

/** The options of a bot, with their defaults. */
export interface BotSettings extends Pick<
  BotServices,
  | 'clock'
  | 'order'
  | 'typing'
  | 'handlerTimeoutMs'
  | 'maxWaiting'
  | 'maxRepliesPerMinute'
  | 'store'
  | 'rest'
  | 'record'
> {
  /** None for a bot that receives no webhooks. */
  readonly tokens: readonly ComparableToken[];
  /** Whether questions subscribe the bot to their topic. */
  readonly followUps: boolean;
}

/** The handlers of a bot. */
export interface BotRoutes extends Pick<
  BotServices,
  'respond' | 'explain' | 'choose' | 'ask' | 'begin'
> {
  /** The changes of messages for which the bot has handlers, or questions that they answer. */
  readonly changes: () => readonly ChangeTrigger[];
  /** Whether the bot has handlers for changes, beyond reactions that answer its questions. */
  readonly hasChangeHandlers: () => boolean;
  readonly work: BackgroundWork;
}

/** What createBot makes: what a bot is. A runtime makes it happen. */
interface BotInternals {
  readonly settings: BotSettings;
  readonly routes: BotRoutes;
}

/** A bot with sessions of any type. */
export interface AnyBot {
  readonly email: string;
  readonly [internals]: BotInternals;
}

import type { PostedQuestion, Question, TakenChoice } from '../choices/choice.ts';
import type { Clock } from '../clock.ts';
import { actorOf, type ChannelMessage, type Delivery, type Person } from '../delivery.ts';
import type { expectAnswers } from '../follow-ups/expect-answers.ts';
import type { FollowUps } from '../follow-ups/follow-ups.ts';
import type { Failure, Warn } from '../hooks.ts';
import type { Order } from '../message-order.ts';
import type { PostedMessage } from '../rest/posted-message.ts';
import type { ReplySender } from '../rest/reply-sender.ts';
import type { CheckedReply, HandlerResult } from '../rest/reply.ts';
import { requireRest, type Rest } from '../rest/rest.ts';
import type { ScheduledTask } from '../schedules/tasks.ts';
import type { JsonValue, Store } from '../stores/store.ts';
import type { RecordAction } from '../trust/audit.ts';
import { type ContextRun, HandlerContext } from './handler-context.ts';

/** What a bot has where it is mounted: its deliveries, contexts, schedules and tasks use it. */
export interface BotServices {
  readonly email: string;
  readonly clock: Clock;
  /** Times the pauses between edits of a streamed reply; in a test it does not wait. */
  readonly pauseClock: Clock;
  readonly order: Order;
  /** Whether users see the bot typing while a handler runs. */
  readonly typing: boolean;
  readonly handlerTimeoutMs: number;
  readonly maxWaiting: number;
  readonly maxRepliesPerMinute: number;
  /** Undefined for a bot without a store: a crash loses its pending replies. */
  readonly store: Store | undefined;
  /** Undefined for a bot without an API key. */
  readonly rest: Rest | undefined;
  /** Undefined for a bot without an API key: its replies go in the answers only. */
  readonly replySender: ReplySender | undefined;
  /** The subscriptions to topics. Throws BotError `api_missing` for a bot without an API key. */
  readonly followUps: () => FollowUps;
  /** Subscribes the bot to the topic of a question, unless that fails. */
  readonly expectAnswers: ReturnType<typeof expectAnswers>;
  /** Tells the hook for warnings of the place where the bot is mounted. */
  readonly warn: Warn;
  /** Adds an action of the bot to its audit log; undefined for a bot without one. */
  readonly record: RecordAction | undefined;
  /** Runs middleware and the handler that matches. */
  readonly respond: (turn: Turn) => Promise<HandlerResult>;
  /** Returns the reply to a message whose handler has failed. */
  readonly explain: (failure: Failure, turn: Turn) => Promise<CheckedReply | undefined>;
  /** Schedules a task. Rejects with BotError `not_started` if nothing can ever run it. */
  readonly later: (name: string, at: Date | number, data: JsonValue) => Promise<string>;
  readonly cancelTask: (id: string) => Promise<boolean>;
  readonly listTasks: () => Promise<readonly ScheduledTask[]>;
  /** Asks a question with a choice of answers, and resolves with it. */
  readonly choose: (turn: Turn, choice: string, question: Question) => Promise<HandlerResult>;
  /** Posts a question with a choice of answers to a conversation. Resolves with its message. */
  readonly ask: (
    services: BotServices,
    choice: string,
    question: PostedQuestion,
    askedBy?: number,
  ) => Promise<PostedMessage>;
  /** Begins a dialog, and resolves with its first question. */
  readonly begin: (
    turn: Turn,
    dialog: string,
    texts?: Readonly<Record<string, string>>,
  ) => Promise<HandlerResult>;
}

/** The run of a delivery, as its turn uses it. */
interface TurnRun extends ContextRun {
  readonly replies: ContextRun['replies'] & {
    /** Drops replies that were not sent yet; false if some were sent. */
    readonly retract: () => boolean;
  };
}

/**
 * The context as a handler gets it. The builder has typed the handler, and the router calls it only for
 * deliveries that fit: that is what the compiler cannot see.
 */
export const given = ({ context }: Turn): never => context as never;

/** One delivery on its way through the handlers of a bot. They get only its `context`. */
export class Turn {
  readonly delivery: Delivery;
  readonly services: BotServices;
  readonly run: TurnRun;
  readonly context: HandlerContext;
  /** The value that a dialog returned for this message; kept while the message is handled again. */
  answered: unknown;
  /** The question that the message answers; kept in the same way. */
  chosen: TakenChoice | undefined;
  /** Follows the reply to a failed handler. */
  afterFailure = '';

  constructor(delivery: Delivery, services: BotServices, run: TurnRun) {
    this.delivery = delivery;
    this.services = services;
    this.run = run;
    this.context = new HandlerContext(this);
  }

  get actor(): Person {
    return actorOf(this.delivery);
  }

  /** The REST API. Throws BotError `api_missing` for a bot without an API key. */
  get rest(): Rest {
    return requireRest(this.services.rest);
  }

  /** Begins a dialog. Resolves with its first question. */
  begin(dialog: string, texts?: Readonly<Record<string, string>>): Promise<HandlerResult> {
    return this.services.begin(this, dialog, texts);
  }

  /** Asks a question with a choice of answers. Resolves with it. */
  choose(choice: string, question: Question): Promise<HandlerResult> {
    return this.services.choose(this, choice, question);
  }

  /** Posts a question with a choice of answers to another conversation. */
  async ask(choice: string, question: PostedQuestion): Promise<PostedMessage> {
    await this.run.replies.beforeRest();
    return this.services.ask(this.services, choice, question, this.actor.id);
  }

  /** The message if it is in a channel. */
  get channelMessage(): ChannelMessage | undefined {
    const { message } = this.context;
    return 'channel' in message ? message : undefined;
  }

  /** Converts a reaction into the message with which the person could have answered instead. */
  answerWith(text: string): void {
    const { context } = this;
    const said = { content: text, renderedContent: '', sender: this.actor };
    context.message = { ...context.message, ...said };
    context.text = text;
    context.trigger = this.channelMessage ? 'follow_up' : 'direct_message';
  }

  /**
   * Lets the answers to a question in a channel reach the bot without a mention, if the server
   * supports that.
   */
  async expectAnswers(forMs: number): Promise<void> {
    const { services, channelMessage } = this;
    if (services.rest === undefined || channelMessage === undefined) return;
    await services.expectAnswers(services.followUps(), channelMessage, forMs);
  }
}

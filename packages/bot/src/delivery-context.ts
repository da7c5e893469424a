import type { Client } from '@bellhop/client';
import type { MessageId } from '@bellhop/protocol';

import { addressedText, mayMention } from './addressed-text.ts';
import type { ChooseOptions, Question, TakenChoice } from './choices/choice.ts';
import type { Clock } from './clock.ts';
import type { PastMessage } from './context.ts';
import { actorOf, type ChannelMessage, type Delivery, type Person } from './delivery.ts';
import type { expectAnswers } from './follow-ups/expect-answers.ts';
import { type FollowUps, webhookFollowUps } from './follow-ups/follow-ups.ts';
import { type CheckedReply, type HandlerResult, type Reply, toReply } from './reply.ts';
import type { Attachment } from './rest/attachments.ts';
import type { Conversation, Destination } from './rest/conversation.ts';
import { MAX_HISTORY } from './rest/history.ts';
import type { PostedMessage } from './rest/posted-message.ts';
import { requireRest, type Rest, type UploadedFile, type UserReference } from './rest/rest.ts';
import { type StreamOptions, streamReply } from './rest/stream-reply.ts';
import { chunksOf, type StreamSource } from './rest/stream-source.ts';
import type { StreamedReply } from './rest/streamed-reply.ts';
import {
  isResolved,
  reopenedName,
  resolvedName,
  type Thread,
  type TopicMove,
} from './rest/thread.ts';
import type { UserProfile } from './rest/user-profile.ts';
import type { ScheduledTask } from './schedules/tasks.ts';
import type { JsonValue } from './stores/store.ts';

/** The operations of a bot that the contexts of its handlers use. */
export interface BotServices {
  /** Undefined for a bot without an API key. */
  readonly rest: Rest | undefined;
  /** The subscriptions to topics of a bot on the event queue; undefined for those on the server. */
  readonly followUps: FollowUps | undefined;
  /** Subscribes the bot to the topic of a question, unless that fails. */
  readonly expectAnswers: ReturnType<typeof expectAnswers>;
  /** Times the pauses between edits of a streamed reply; in a test it does not wait. */
  readonly pauseClock: Clock;
  /** Schedules a task. */
  readonly later: (name: string, at: Date | number, data: JsonValue) => Promise<string>;
  readonly cancelTask: (id: string) => Promise<boolean>;
  readonly listTasks: () => Promise<readonly ScheduledTask[]>;
  /** Asks a question with a choice of answers, and resolves with it. */
  readonly choose: (
    context: DeliveryContext,
    choice: string,
    question: Question,
  ) => Promise<HandlerResult>;
  /** Begins a dialog, and resolves with its first question. */
  readonly begin: (
    context: DeliveryContext,
    dialog: string,
    texts?: Readonly<Record<string, string>>,
  ) => Promise<HandlerResult>;
}

/** The run of a delivery, as its context uses it. */
interface ContextRun {
  readonly signal: AbortSignal;
  readonly replies: {
    /** The conversation that replies go to. */
    readonly conversation: Conversation;
    readonly add: (reply: CheckedReply) => Promise<void>;
    /** Drops replies that were not sent yet; false if some were sent. */
    readonly retract: () => boolean;
    /** Sends the replies made so far, before the handler sends something by REST itself. */
    readonly beforeRest: () => Promise<void>;
    /** Moves the topic of the delivery; later replies go to its new place. */
    readonly moveTopic: (to: TopicMove) => Promise<void>;
  };
}

const HOUR_MS = 3_600_000;

/** The context of one delivery, as all handlers get it. */
export class DeliveryContext {
  trigger: Delivery['trigger'];
  message: Delivery['message'];
  readonly bot: { readonly email: string; readonly fullName: string };
  text: string;
  readonly delivery: Delivery;
  session: unknown;
  command: string | undefined;
  args: unknown;
  /** The person who gave the command that this message confirms. */
  commandOf: Person | undefined;
  match: RegExpExecArray | undefined;
  /** The value that a dialog returned for this message; kept while the message is handled again. */
  answered: unknown;
  /** The question that the message answers; kept in the same way. */
  chosen: TakenChoice | undefined;
  /** Follows the reply to a failed handler. */
  afterFailure = '';
  readonly #bot: BotServices;
  readonly #run: ContextRun;

  constructor(delivery: Delivery, bot: BotServices, run: ContextRun) {
    this.trigger = delivery.trigger;
    this.message = delivery.message;
    this.bot = { email: delivery.botEmail, fullName: delivery.botFullName };
    this.text = addressedText(delivery.message, delivery);
    this.delivery = delivery;
    this.#bot = bot;
    this.#run = run;
  }

  get conversation() {
    return this.#run.replies.conversation;
  }

  get actor(): Person {
    return actorOf(this.delivery);
  }

  get by(): Person | undefined {
    return this.delivery.trigger === 'delete' ? undefined : this.actor;
  }

  get askedBy(): Person {
    return this.commandOf ?? this.actor;
  }

  /** Converts a reaction into the message with which the person could have answered instead. */
  answerWith(text: string): void {
    const said = { content: text, renderedContent: '', sender: this.actor };
    this.message = { ...this.message, ...said };
    this.text = text;
    this.trigger = this.channelMessage ? 'follow_up' : 'direct_message';
  }

  get reaction() {
    return this.delivery.change?.reaction;
  }

  get earlierContent() {
    return this.delivery.change?.earlierContent;
  }

  get history() {
    return async (count = 20): Promise<readonly PastMessage[]> => {
      if (!(Number.isInteger(count) && count >= 1 && count <= MAX_HISTORY))
        throw new RangeError(`ctx.history takes a number from 1 to ${MAX_HISTORY}.`);
      const { bot, delivery, message, conversation } = this;
      const range = { before: message.id, limit: count };
      const found = await this.#rest.history(conversation, range);
      // Earlier messages may mention the bot by an earlier name: their HTML has the ID.
      const rendered = found.some(({ content }) => mayMention(content, delivery))
        ? await this.#rest.history(conversation, { ...range, rendered: true })
        : [];
      const html = new Map(rendered.map(({ id, content }) => [id, content]));
      return found.map((one) => ({
        ...one,
        text: addressedText({ ...one, renderedContent: html.get(one.id) ?? '' }, delivery),
        isOwn: one.sender.email.toLowerCase() === bot.email.toLowerCase(),
      }));
    };
  }

  get attachments() {
    return (): Promise<readonly Attachment[]> => this.#rest.attachments(this.message.content);
  }

  get thread(): Thread {
    const topic = () => this.channelMessage?.topic ?? '';
    const move = (to: TopicMove) => this.#run.replies.moveTopic(to);
    return {
      isResolved: isResolved(topic()),
      resolve: async () => move({ topic: resolvedName(topic()) }),
      reopen: async () => move({ topic: reopenedName(topic()) }),
      rename: (name) => move({ topic: name }),
      moveTo: move,
    };
  }

  get signal(): AbortSignal {
    return this.#run.signal;
  }

  retract(): boolean {
    return this.#run.replies.retract();
  }

  // Getters that return functions, so that handlers can destructure their context.

  get reply() {
    return async (result: string | Reply): Promise<void> => {
      const reply = toReply(result);
      if (reply !== undefined) await this.#run.replies.add(reply);
    };
  }

  get post() {
    return async (message: string | Reply, to?: Destination): Promise<PostedMessage> => {
      const rest = this.#rest;
      await this.#run.replies.beforeRest();
      return rest.post(message, to ?? this.conversation);
    };
  }

  get edit() {
    return async (messageId: number, content: string): Promise<void> => {
      await this.#rest.edit(messageId as MessageId, content);
    };
  }

  get stream() {
    return async (source: StreamSource, options: StreamOptions = {}): Promise<StreamedReply> => {
      const rest = this.#rest;
      await this.#run.replies.beforeRest();
      const to = { rest, conversation: this.conversation };
      return streamReply(to, await chunksOf(source), {
        ...options,
        signal: this.signal,
        clock: this.#bot.pauseClock,
      });
    };
  }

  get later() {
    return (name: string, at: Date | number, data: JsonValue): Promise<string> =>
      this.#bot.later(name, at, data);
  }

  get cancelTask() {
    return (id: string): Promise<boolean> => this.#bot.cancelTask(id);
  }

  get tasks() {
    return (): Promise<readonly ScheduledTask[]> => this.#bot.listTasks();
  }

  get begin() {
    return (dialog: string, texts?: Readonly<Record<string, string>>): Promise<HandlerResult> =>
      this.#bot.begin(this, dialog, texts);
  }

  /** The message if it is in a channel. */
  get channelMessage(): ChannelMessage | undefined {
    return 'channel' in this.message ? this.message : undefined;
  }

  get subscribe() {
    return async ({ forMs = HOUR_MS }: { readonly forMs?: number } = {}): Promise<void> => {
      if (!(forMs > 0)) throw new RangeError('`forMs` must be above 0.');
      const { channelMessage } = this;
      if (channelMessage) await this.#followUps.subscribe(channelMessage, forMs);
    };
  }

  get unsubscribe() {
    return async (): Promise<void> => {
      const { channelMessage } = this;
      if (channelMessage) await this.#followUps.unsubscribe(channelMessage);
    };
  }

  /**
   * Lets the answers to a question in a channel reach the bot without a mention, if the server
   * supports that.
   */
  async expectAnswers(forMs: number): Promise<void> {
    const { channelMessage } = this;
    if (this.#bot.rest === undefined || channelMessage === undefined) return;
    await this.#bot.expectAnswers(this.#followUps, channelMessage, forMs);
  }

  get choose() {
    return (choice: string, question: string, options: ChooseOptions): Promise<HandlerResult> =>
      this.#bot.choose(this, choice, { question, ...options });
  }

  get react() {
    return async (emojiName: string): Promise<void> => {
      await this.#rest.react(this.message.id, emojiName);
    };
  }

  get unreact() {
    return async (emojiName: string): Promise<void> => {
      await this.#rest.unreact(this.message.id, emojiName);
    };
  }

  get upload() {
    return (file: File): Promise<UploadedFile> => this.#rest.upload(file);
  }

  get user() {
    return async (who: UserReference = this.actor): Promise<UserProfile> => this.#rest.user(who);
  }

  get client(): Client {
    return this.#rest.client;
  }

  get #rest(): Rest {
    return requireRest(this.#bot.rest);
  }

  get #followUps(): FollowUps {
    return this.#bot.followUps ?? webhookFollowUps(this.#rest);
  }
}

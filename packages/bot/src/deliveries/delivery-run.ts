import { randomBytes } from 'node:crypto';

import { BotError, notEnded } from '../bot-error.ts';
import type { Clock } from '../clock.ts';
import { type BotWork, type ContextBackend, DeliveryContext } from '../delivery-context.ts';
import type { Delivery } from '../delivery.ts';
import { type FollowUps, webhookFollowUps } from '../follow-ups/follow-ups.ts';
import { type DeliveryInfo, type Hooks, logFailure, report, type Warning } from '../hooks.ts';
import { type AnyBot, type BotInternals, internals } from '../internals.ts';
import { type CheckedReply, type HandlerResult, toReply } from '../reply.ts';
import type { Conversation as Place } from '../rest/conversation.ts';
import type { Rest } from '../rest/rest.ts';
import type { TopicMove } from '../rest/thread.ts';
import { recordAnswer } from '../trust/audit.ts';
import type { Conversation, ConversationTask } from './conversations.ts';
import { DeliveryProgress, type StoredDeliveries } from './delivery-progress.ts';
import { Replies, type ReplyChannels } from './replies.ts';
import { ReplyPlace } from './reply-place.ts';
import { restReplies } from './rest-replies.ts';
import type { RunOptions, RunSubject } from './run-subject.ts';
import { TypingNotice } from './typing-notice.ts';

/** The parts that all runs of one bot share. */
export interface RunEnvironment {
  readonly bot: AnyBot;
  readonly hooks: Hooks;
  /** Undefined for a bot without a store. */
  readonly stored: StoredDeliveries | undefined;
  /** Called when the handler of a run has ended and its replies are sent. */
  readonly onEnded: (run: DeliveryRun) => void;
}

/** `repeated`: another process has handled the delivery. */
type RunOutcome = 'replied' | 'silent' | 'failed' | 'repeated';

/** One delivery from its arrival to the end of its handler. */
export class DeliveryRun implements ConversationTask, ContextBackend, ReplyChannels {
  readonly delivery: Delivery;
  readonly key: number;
  readonly conversation: Conversation;
  readonly arrivedAt: number;
  /** The place of the run in the list of all that have not ended. */
  index = 0;
  /** When the handler was called; undefined while earlier messages of the conversation are handled. */
  startedAt: number | undefined;
  /** Set when the delivery is answered; `reply` is undefined for an answer without a reply. */
  answered: { readonly reply: CheckedReply | undefined } | undefined;
  /** A reply in place of calling the handler. */
  fixedReply: { readonly reply: CheckedReply | undefined } | undefined;
  readonly #environment: RunEnvironment;
  readonly #internals: BotInternals;
  readonly #options: RunOptions;
  readonly #replies = new Replies(this);
  /** Undefined for a bot without a store. */
  readonly #progress: DeliveryProgress | undefined;
  // Most runs need none of these promises and signals: they are made when they are asked for.
  #answer: PromiseWithResolvers<CheckedReply | undefined> | undefined;
  #ended: PromiseWithResolvers<void> | undefined;
  #controller: AbortController | undefined;
  #abortReason: BotError | undefined;
  #state: 'waiting' | 'handling' | 'handled' | 'expired' | 'ended' = 'waiting';
  #superseded = false;
  /** Replies go by REST: the deadline has passed, or no answer was open. */
  #deferred: boolean;
  /** Set while the store is told that replies go by REST, and afterwards: none goes in the answer then. */
  #deferring: Promise<void> | undefined;
  /** The delivery is left to another process, or to the next run of this one. */
  #left = false;
  #context: DeliveryContext | undefined;
  readonly #place: ReplyPlace;
  #typing: TypingNotice | undefined;

  constructor(environment: RunEnvironment, subject: RunSubject, options: RunOptions = {}) {
    this.#environment = environment;
    this.#internals = environment.bot[internals];
    this.#options = options;
    this.#deferred = options.byRest ?? false;
    this.delivery = subject.delivery;
    this.#place = new ReplyPlace(subject.delivery);
    this.key = subject.key;
    this.conversation = subject.conversation;
    this.arrivedAt = this.clock.now();
    if (this.#deferred) this.#replies.answerNow();
    const { stored } = environment;
    this.#progress = stored && this.#storedProgress(stored);
  }

  /** The reply in the answer to the delivery, or undefined. Never rejects. */
  get answer(): Promise<CheckedReply | undefined> {
    if (this.answered !== undefined) return Promise.resolve(this.answered.reply);
    return (this.#answer ??= Promise.withResolvers()).promise;
  }

  /** Resolves when the handler has ended and its replies are sent. */
  get ended(): Promise<void> {
    if (this.#state === 'ended') return Promise.resolve();
    return (this.#ended ??= Promise.withResolvers()).promise;
  }

  get isMessage(): boolean {
    return this.delivery.change === undefined;
  }

  get info(): DeliveryInfo {
    const { trigger, message } = this.delivery;
    return { botEmail: this.#environment.bot.email, messageId: message.id, trigger };
  }

  /** Calls the handler, sends what it replies, and reports the outcome. Never rejects. */
  async run(): Promise<void> {
    let outcome: RunOutcome | undefined;
    if (this.#progress !== undefined) outcome = await this.#outcomeBefore(this.#progress);
    if (this.#superseded) outcome ??= 'silent';
    if (outcome !== undefined) return this.#conclude(outcome);
    this.startedAt = this.clock.now();
    this.#state = 'handling';
    const context = new DeliveryContext(this.delivery, this);
    this.#context = context;
    try {
      const { fixedReply } = this;
      const reply = fixedReply ? fixedReply.reply : toReply(await this.#handle(context));
      if (this.#state !== 'handling') return;
      this.#state = 'handled';
      if (this.#deferring !== undefined) await this.#deferring;
      await this.#replies.end(this.#superseded ? undefined : reply);
      outcome = reply !== undefined || this.#replies.any ? 'replied' : 'silent';
    } catch (error) {
      if (this.#state !== 'handling' && this.#state !== 'handled') return;
      this.#state = 'handled';
      outcome = 'failed';
      if (!this.#superseded) await this.#fail(error, context);
    }
    void this.#conclude(outcome);
  }

  /** The outcome of a delivery that needs no handler any more; undefined if it needs one. */
  async #outcomeBefore(progress: DeliveryProgress): Promise<RunOutcome | undefined> {
    try {
      if (!(await progress.claimed)) return 'repeated';
    } catch (error) {
      this.#warn('store_failed', 'The store fails: a message is not handled.', error);
      this.#left = true;
      return 'failed';
    }
    const { unsent } = progress;
    return unsent === undefined || this.#superseded ? undefined : this.#sendLeft(unsent);
  }

  #handle(context: DeliveryContext): Promise<HandlerResult> {
    const { around } = this.#environment.hooks;
    if (around === undefined) return this.#internals.respond(context);
    return around(this.info, () => this.#internals.respond(context));
  }

  /** Reports the failure of the handler, and replies with its reference. */
  async #fail(error: unknown, context: DeliveryContext): Promise<void> {
    const { onError = logFailure } = this.#environment.hooks;
    const code = error instanceof BotError ? error.code : 'handler_failed';
    const reference = randomBytes(4).toString('hex');
    const failure = { error, code, reference, ...this.info };
    report(onError, failure);
    try {
      await this.#deferring;
      const reply = await this.#internals.explain(failure, context);
      await this.#replies.end(reply && { ...reply, error: `${code}, reference ${reference}` });
    } catch (cause) {
      // Without an API key the explanation cannot be sent either: the first report says enough.
      if (code !== 'api_missing') report(onError, { ...failure, error: cause });
    }
  }

  async #conclude(outcome: RunOutcome): Promise<void> {
    this.#typing?.stop();
    const via = this.#deferred && this.answered !== undefined ? 'rest' : 'response';
    this.#replies.answerNow();
    if (this.#progress !== undefined && !this.#left) await this.#settle(this.#progress);
    const { onDelivery } = this.#environment.hooks;
    if (onDelivery) {
      const durationMs = this.clock.now() - this.arrivedAt;
      const about = this.info;
      report(
        onDelivery,
        outcome === 'repeated' ? { outcome, ...about } : { outcome, via, durationMs, ...about },
      );
    }
    this.#state = 'ended';
    this.#environment.onEnded(this);
    this.#ended?.resolve();
  }

  /** A newer message has come: the handler is told to stop, and its reply is dropped. */
  supersede(): void {
    this.#drop('A newer message has taken the place of this one.');
  }

  #drop(why: string): void {
    this.#superseded = true;
    this.abort(new BotError('handler_timeout', why));
    this.#replies.answerNow();
  }

  abort(reason: BotError): void {
    this.#abortReason ??= reason;
    this.#controller?.abort(reason);
  }

  /** The handler has reached its time limit: it is told to stop, and the run ends without it. */
  async expire(): Promise<void> {
    if (this.#state !== 'handling' || this.#context === undefined) return;
    this.#state = 'expired';
    const error = notEnded(this.#internals.handlerTimeoutMs);
    this.abort(error);
    if (!this.#superseded) await this.#fail(error, this.#context);
    await this.#conclude('failed');
  }

  /**
   * The deadline has passed. With an API key the delivery is answered without a reply, and the reply
   * is sent by REST. Without one the answer stays open: the server delivers again and gets it then.
   * The answer also stays open until this process has claimed the delivery.
   */
  async defer(): Promise<void> {
    if (this.#deferring !== undefined) return this.#deferring;
    if (this.answered !== undefined || this.#deferred) return;
    if (this.#progress?.isOurs === false) return;
    this.#deferred = true;
    if (this.canSend) await (this.#deferring = this.#deferNow());
  }

  async #deferNow(): Promise<void> {
    try {
      await this.#progress?.defer(this.#replies.sent > 0);
    } catch (error) {
      const message = 'The store cannot keep a pending reply: a crash would lose it.';
      this.#warn('store_failed', message, error);
    }
    if (this.answered !== undefined) return;
    const { onDelivery } = this.#environment.hooks;
    if (onDelivery) report(onDelivery, { outcome: 'deferred', ...this.info });
    this.#replies.deferAnswer();
  }

  /** Shows that the bot is typing if its handler has been running for long. */
  showTyping(now: number): void {
    const { rest, typing } = this.#internals;
    if (this.startedAt === undefined || !typing) return;
    this.#typing ??= rest && new TypingNotice({ rest, conversation: this.#place.conversation });
    this.#typing?.show(now - this.startedAt);
  }

  // The operations of a context.

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#abortReason !== undefined) this.#controller.abort(this.#abortReason);
    }
    return this.#controller.signal;
  }

  get pauseClock(): Clock {
    return this.#internals.pauseClock;
  }

  place(): Place {
    return this.#place.conversation;
  }

  async moveTopic(to: TopicMove): Promise<void> {
    await this.beforeRest();
    await this.#place.move(this.rest(), to);
    // The answer to the webhook would go to the old topic.
    this.#replies.answerNow();
  }

  followUps(): FollowUps {
    return this.#internals.followUps ?? webhookFollowUps(this.rest());
  }

  async expectAnswers({ channelMessage }: DeliveryContext, forMs: number): Promise<void> {
    const { rest, expectAnswers } = this.#internals;
    if (rest === undefined || channelMessage === undefined) return;
    await expectAnswers(this.followUps(), channelMessage, forMs);
  }

  get work(): BotWork {
    return this.#internals;
  }

  retract(): boolean {
    return this.#replies.retract();
  }

  async reply(reply: CheckedReply): Promise<void> {
    if (!this.#superseded) await this.#replies.add(reply);
  }

  async beforeRest(): Promise<void> {
    const noting = this.#superseded ? undefined : this.#progress?.noteSending({ content: '' });
    if ((await noting) === false || this.#superseded) throw this.signal.reason;
    await this.#replies.beforeRest();
  }

  rest(): Rest {
    const { rest } = this.#internals;
    if (rest !== undefined) return rest;
    const message = 'This needs the REST API: give createBot `api: { url, apiKey }`.';
    throw new BotError('api_missing', message);
  }

  #storedProgress(stored: StoredDeliveries): DeliveryProgress {
    return new DeliveryProgress({
      stored,
      delivery: this.delivery,
      key: this.key,
      byRest: this.#deferred,
      left: this.#options.left,
      withinMs: this.#internals.handlerTimeoutMs,
      onAnswered: (reply) => this.answerWith(reply),
      onLost: () => {
        const message =
          'Another process has taken a message over: this one did not renew its claim in time.';
        this.#warn('store_failed', message);
        this.#drop(message);
      },
    });
  }

  async #settle(progress: DeliveryProgress): Promise<void> {
    try {
      await progress.settle(this.answered?.reply);
    } catch (error) {
      this.#warn('store_failed', 'The store cannot note that a message is answered.', error);
    }
  }

  /** Sends the reply that another process was sending when it died. */
  async #sendLeft(reply: CheckedReply): Promise<RunOutcome> {
    try {
      await this.#restReplies?.sendLeft(reply);
      return 'replied';
    } catch (error) {
      this.#warn('store_failed', 'A pending reply of an earlier run could not be sent.', error);
      this.#left = !(error instanceof BotError && error.code === 'api_rejected');
      if (this.#left) this.#progress?.leave();
      return 'failed';
    }
  }

  // How replies leave.

  get clock(): Clock {
    return this.#internals.clock;
  }

  // The Slack-compatible form names no topic, so nothing can be sent to it by REST.
  get canSend(): boolean {
    return this.#internals.replySender !== undefined && this.delivery.message.id > 0;
  }

  async send(reply: CheckedReply): Promise<void> {
    await this.#restReplies?.send(reply, this.#options.maybeSent ?? false);
  }

  get #restReplies() {
    const { replySender } = this.#internals;
    return (
      replySender &&
      restReplies({
        replySender,
        clock: this.clock,
        to: { conversation: this.#place.conversation, after: this.delivery.message.id },
        note: async (reply) =>
          !this.#superseded && (await this.#progress?.noteSending(reply)) !== false,
      })
    );
  }

  onCut(): void {
    const message =
      'A reply is longer than one message. Give createBot `api: { url, apiKey }`: then it is sent in parts.';
    this.#warn('api_missing', message);
  }

  answerWith(reply: CheckedReply | undefined): void {
    if (this.answered !== undefined) return;
    this.answered = { reply };
    if (reply !== undefined) recordAnswer(this.#internals.record, this.delivery, reply);
    this.#answer?.resolve(reply);
  }

  #warn(code: Warning['code'], message: string, error?: unknown): void {
    const about = { code, message, botEmail: this.#environment.bot.email };
    report(this.#environment.hooks.onWarning, error === undefined ? about : { ...about, error });
  }
}

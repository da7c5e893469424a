import { randomBytes } from 'node:crypto';

import { BotError } from '../bot-error.ts';
import type { Clock } from '../clock.ts';
import { type ContextBackend, DeliveryContext } from '../delivery-context.ts';
import type { Delivery } from '../delivery.ts';
import { type DeliveryInfo, type Hooks, logFailure, report } from '../hooks.ts';
import { type AnyBot, type BotInternals, internals } from '../internals.ts';
import { type CheckedReply, type HandlerResult, toReply } from '../reply.ts';
import { conversationOf } from '../rest/conversation.ts';
import type { Rest } from '../rest/rest.ts';
import type { ConversationTask } from './conversation-order.ts';
import { DeliveryProgress, type StoredDeliveries } from './delivery-progress.ts';
import type { PendingReply } from './pending-replies.ts';
import { Replies } from './replies.ts';
import { sendOnce } from './send-once.ts';
import { TypingNotice } from './typing-notice.ts';

/** What all runs of one bot share. */
export interface RunEnvironment {
  readonly bot: AnyBot;
  readonly hooks: Hooks;
  /** Undefined for a bot without a store. */
  readonly stored: StoredDeliveries | undefined;
}

export interface RunOptions {
  /** All replies go by REST: no answer to the delivery is open. */
  readonly byRest?: boolean;
  /** An earlier process may have sent the replies. */
  readonly maybeSent?: boolean;
  /** The pending reply that another process has left. */
  readonly left?: PendingReply;
}

/** `repeated`: another process has handled the delivery. */
type RunOutcome = 'replied' | 'silent' | 'failed' | 'repeated';

/** One delivery from its arrival to the end of its handler. */
export class DeliveryRun implements ConversationTask, ContextBackend {
  readonly delivery: Delivery;
  readonly arrivedAt: number;
  /** When the handler was called; undefined while earlier messages of the conversation are handled. */
  startedAt: number | undefined;
  /** Set when the delivery is answered; `reply` is undefined for an answer without a reply. */
  answered: { readonly reply: CheckedReply | undefined } | undefined;
  /** A reply in place of calling the handler. */
  fixedReply: { readonly reply: CheckedReply | undefined } | undefined;
  readonly #environment: RunEnvironment;
  readonly #internals: BotInternals;
  readonly #options: RunOptions;
  readonly #replies: Replies;
  readonly #answer = Promise.withResolvers<CheckedReply | undefined>();
  readonly #ended = Promise.withResolvers<void>();
  readonly #controller = new AbortController();
  /** Undefined for a bot without a store. */
  readonly #progress: DeliveryProgress | undefined;
  #superseded = false;
  /** Replies go by REST: the deadline has passed, or no answer was open. */
  #deferred: boolean;
  /** The delivery is left to another process, or to the next run of this one. */
  #left = false;
  #typing: TypingNotice | undefined;
  #expire: ((error: BotError) => void) | undefined;

  /** `key` identifies the delivery. */
  constructor(
    environment: RunEnvironment,
    delivery: Delivery,
    key: number,
    options: RunOptions = {},
  ) {
    this.#environment = environment;
    this.#internals = environment.bot[internals];
    this.#options = options;
    this.#deferred = options.byRest ?? false;
    this.delivery = delivery;
    this.arrivedAt = this.#internals.clock.now();
    const { replySender, clock } = this.#internals;
    this.#replies = new Replies({
      answer: (reply) => this.#answerWith(reply),
      // The Slack-compatible form names no topic, so nothing can be sent to it by REST.
      send: replySender && delivery.message.id > 0 ? (reply) => this.#send(reply) : undefined,
      clock,
    });
    if (this.#deferred) this.#replies.answerNow();
    const { stored } = environment;
    this.#progress = stored && this.#storedProgress(stored, key);
  }

  /** The reply in the answer to the delivery, or undefined. Never rejects. */
  get answer(): Promise<CheckedReply | undefined> {
    return this.#answer.promise;
  }

  /** Resolves when the handler has ended and its replies are sent. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  get info(): DeliveryInfo {
    const { trigger, message } = this.delivery;
    return { bot_email: this.#environment.bot.email, message_id: message.id, trigger };
  }

  /** Calls the handler, sends what it replies, and reports the outcome. Never rejects. */
  async run(): Promise<void> {
    let outcome: RunOutcome | undefined;
    if (this.#progress !== undefined) outcome = await this.#outcomeElsewhere(this.#progress);
    await this.#conclude(outcome ?? (await this.#work()));
  }

  /** Undefined if this process is to handle the delivery. */
  async #outcomeElsewhere(progress: DeliveryProgress): Promise<RunOutcome | undefined> {
    try {
      return (await progress.claimed) ? undefined : 'repeated';
    } catch (error) {
      this.#warn('The store fails: a message is not handled.', error);
      this.#left = true;
      return 'failed';
    }
  }

  async #work(): Promise<RunOutcome> {
    if (this.#superseded) return 'silent';
    const unsent = this.#progress?.unsent;
    if (unsent !== undefined) return this.#sendLeft(unsent);
    this.startedAt = this.#internals.clock.now();
    const context = new DeliveryContext(this.delivery, this);
    try {
      const { fixedReply } = this;
      const reply = fixedReply
        ? fixedReply.reply
        : toReply(await this.#untilTimeout(this.#handle(context)));
      await this.#replies.end(this.#superseded ? undefined : reply);
      return reply !== undefined || this.#replies.any ? 'replied' : 'silent';
    } catch (error) {
      if (!this.#superseded) await this.#fail(error, context);
      return 'failed';
    }
  }

  async #handle(context: DeliveryContext): Promise<HandlerResult> {
    const { around } = this.#environment.hooks;
    const respond = async () => this.#internals.respond(context);
    return around ? around(this.info, respond) : respond();
  }

  /** Rejects if `expire` is called before the handler has ended. */
  #untilTimeout(handled: Promise<HandlerResult>): Promise<HandlerResult> {
    return new Promise((resolve, reject) => {
      this.#expire = reject;
      handled.then(resolve, reject);
    });
  }

  /** Reports the failure of the handler, and replies with its reference. */
  async #fail(error: unknown, context: DeliveryContext): Promise<void> {
    const { onError = logFailure } = this.#environment.hooks;
    const code = error instanceof BotError ? error.code : 'handler_failed';
    const reference = randomBytes(4).toString('hex');
    const failure = { error, code, reference, ...this.info };
    report(onError, failure);
    try {
      await this.#replies.end(await this.#internals.explain(failure, context));
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
      const duration_ms = this.#internals.clock.now() - this.arrivedAt;
      const about = this.info;
      report(
        onDelivery,
        outcome === 'repeated' ? { outcome, ...about } : { outcome, via, duration_ms, ...about },
      );
    }
    this.#ended.resolve();
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
    this.#controller.abort(reason);
  }

  /** The handler has reached its time limit: it is told to stop, and the run ends without it. */
  expire(): void {
    const minutes = Math.round(this.#internals.handlerTimeoutMs / 60_000);
    const error = new BotError(
      'handler_timeout',
      `The handler had not ended after ${minutes} min. Let it end when ctx.signal is aborted, or ` +
        'give createBot a longer `handlerTimeoutMs`.',
    );
    this.abort(error);
    this.#expire?.(error);
  }

  /**
   * The deadline has passed. With an API key the delivery is answered without a reply, and the reply
   * is sent by REST. Without one the answer stays open: the server delivers again and gets it then.
   * The answer also stays open until this process has claimed the delivery.
   */
  async defer(): Promise<void> {
    if (this.answered !== undefined || this.#deferred) return;
    if (this.#progress?.isOurs === false) return;
    this.#deferred = true;
    if (this.#internals.replySender === undefined || this.delivery.message.id === 0) return;
    try {
      await this.#progress?.defer(this.#replies.sent > 0);
    } catch (error) {
      this.#warn('The store cannot keep a pending reply: a crash would lose it.', error);
    }
    if (this.answered !== undefined) return;
    const { onDelivery } = this.#environment.hooks;
    if (onDelivery) report(onDelivery, { outcome: 'deferred', ...this.info });
    this.#replies.answerNow();
  }

  /** Shows that the bot is typing if its handler has been running for long. */
  showTyping(now: number): void {
    const { rest, typing } = this.#internals;
    if (this.startedAt === undefined || !typing) return;
    this.#typing ??=
      rest && new TypingNotice({ rest, conversation: conversationOf(this.delivery) });
    this.#typing?.show(now - this.startedAt);
  }

  // What a context asks for.

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get pauseClock(): Clock {
    return this.#internals.pauseClock;
  }

  get begin(): ContextBackend['begin'] {
    return this.#internals.begin;
  }

  get later(): ContextBackend['later'] {
    return this.#internals.later;
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

  #storedProgress(stored: StoredDeliveries, key: number): DeliveryProgress {
    return new DeliveryProgress({
      stored,
      delivery: this.delivery,
      key,
      byRest: this.#deferred,
      left: this.#options.left,
      withinMs: this.#internals.handlerTimeoutMs,
      onAnswered: (reply) => this.#answerWith(reply),
      onLost: () => {
        const message =
          'Another process has taken a message over: this one did not renew its claim in time.';
        this.#warn(message);
        this.#drop(message);
      },
    });
  }

  async #settle(progress: DeliveryProgress): Promise<void> {
    try {
      await progress.settle(this.answered?.reply);
    } catch (error) {
      this.#warn('The store cannot note that a message is answered.', error);
    }
  }

  /** Sends the reply that another process was sending when it died. */
  async #sendLeft(reply: CheckedReply): Promise<RunOutcome> {
    try {
      if (reply.content !== '') await this.#sendNow(reply, true);
      return 'replied';
    } catch (error) {
      this.#warn('A pending reply of an earlier run could not be sent.', error);
      this.#left = !(error instanceof BotError && error.code === 'api_rejected');
      if (this.#left) this.#progress?.leave();
      return 'failed';
    }
  }

  async #send(reply: CheckedReply): Promise<void> {
    if (this.#superseded || (await this.#progress?.noteSending(reply)) === false) return;
    await this.#sendNow(reply, this.#options.maybeSent ?? false);
  }

  async #sendNow(reply: CheckedReply, maybeSent: boolean): Promise<void> {
    const { replySender, clock } = this.#internals;
    if (replySender === undefined) return;
    const { delivery } = this;
    const outgoing = { conversation: conversationOf(delivery), after: delivery.message.id, reply };
    await sendOnce(replySender, outgoing, { clock, maybeSent });
  }

  #answerWith(reply: CheckedReply | undefined): void {
    if (this.answered !== undefined) return;
    this.answered = { reply };
    this.#answer.resolve(reply);
  }

  #warn(message: string, error?: unknown): void {
    const about = {
      code: 'store_failed' as const,
      message,
      bot_email: this.#environment.bot.email,
    };
    report(this.#environment.hooks.onWarning, error === undefined ? about : { ...about, error });
  }
}

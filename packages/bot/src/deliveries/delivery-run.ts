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
import type { PendingReplies } from './pending-replies.ts';
import { Replies } from './replies.ts';
import { sendOnce } from './send-once.ts';
import { TypingNotice } from './typing-notice.ts';

/** What all runs of one bot share. */
export interface RunEnvironment {
  readonly bot: AnyBot;
  readonly hooks: Hooks;
  /** Undefined for a bot without a store. */
  readonly pending: PendingReplies | undefined;
}

type RunOutcome = 'replied' | 'silent' | 'failed';

/** One delivery from its arrival to the end of its handler. */
export class DeliveryRun implements ConversationTask, ContextBackend {
  readonly delivery: Delivery;
  readonly arrivedAt: number;
  /** When the handler was called; undefined while earlier messages of the conversation are handled. */
  startedAt: number | undefined;
  /** Set when the delivery is answered; `reply` is undefined for an answer without a reply. */
  answered: { readonly reply: CheckedReply | undefined } | undefined;
  readonly #environment: RunEnvironment;
  readonly #internals: BotInternals;
  readonly #replies: Replies;
  readonly #answer = Promise.withResolvers<CheckedReply | undefined>();
  readonly #ended = Promise.withResolvers<void>();
  readonly #controller = new AbortController();
  #superseded = false;
  /** The deadline has passed. */
  #deferred = false;
  #typing: TypingNotice | undefined;
  #expire: ((error: BotError) => void) | undefined;

  constructor(environment: RunEnvironment, delivery: Delivery) {
    this.#environment = environment;
    this.#internals = environment.bot[internals];
    this.delivery = delivery;
    this.arrivedAt = this.#internals.clock.now();
    const { replySender, clock } = this.#internals;
    this.#replies = new Replies({
      answer: (reply) => {
        this.answered = { reply };
        this.#answer.resolve(reply);
      },
      // The Slack-compatible form names no topic, so nothing can be sent to it by REST.
      send: replySender && delivery.message.id > 0 ? (reply) => this.#send(reply) : undefined,
      clock,
    });
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
    let outcome: RunOutcome = 'silent';
    if (!this.#superseded) {
      this.startedAt = this.#internals.clock.now();
      const context = new DeliveryContext(this.delivery, this);
      try {
        const reply = toReply(await this.#untilTimeout(this.#handle(context)));
        await this.#replies.end(this.#superseded ? undefined : reply);
        if (reply !== undefined || this.#replies.any) outcome = 'replied';
      } catch (error) {
        outcome = 'failed';
        if (!this.#superseded) await this.#fail(error, context);
      }
    }
    await this.#conclude(outcome);
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
    const { hooks, pending } = this.#environment;
    if (this.#deferred) await pending?.settle(this.delivery).catch(() => {});
    if (hooks.onDelivery) {
      const duration_ms = this.#internals.clock.now() - this.arrivedAt;
      report(hooks.onDelivery, { outcome, via, duration_ms, ...this.info });
    }
    this.#ended.resolve();
  }

  /** A newer message has come: the handler is told to stop, and its reply is dropped. */
  supersede(): void {
    this.#superseded = true;
    this.abort(new BotError('handler_timeout', 'A newer message has taken the place of this one.'));
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
   */
  async defer(): Promise<void> {
    if (this.answered !== undefined || this.#deferred) return;
    const { replySender } = this.#internals;
    const { hooks, pending, bot } = this.#environment;
    this.#deferred = true;
    if (replySender === undefined || this.delivery.message.id === 0) return;
    try {
      const reply = this.#replies.sent > 0 ? { content: '' } : null;
      await pending?.write({ delivery: this.delivery, reply });
    } catch (error) {
      const message = 'The store cannot keep a pending reply: a crash would lose it.';
      report(hooks.onWarning, { code: 'store_failed', message, bot_email: bot.email, error });
    }
    if (this.answered !== undefined) return;
    if (hooks.onDelivery) report(hooks.onDelivery, { outcome: 'deferred', ...this.info });
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
    if (this.#superseded) throw this.signal.reason;
    if (this.#deferred) await this.#noteSending({ content: '' });
    await this.#replies.beforeRest();
  }

  rest(): Rest {
    const { rest } = this.#internals;
    if (rest !== undefined) return rest;
    const message = 'This needs the REST API: give createBot `api: { url, apiKey }`.';
    throw new BotError('api_missing', message);
  }

  /** Notes what is being sent, so that it is not sent again after a crash. */
  async #noteSending(reply: CheckedReply): Promise<void> {
    await this.#environment.pending?.write({ delivery: this.delivery, reply }).catch(() => {});
  }

  async #send(reply: CheckedReply): Promise<void> {
    const { replySender, clock } = this.#internals;
    if (replySender === undefined || this.#superseded) return;
    if (this.#deferred) await this.#noteSending(reply);
    const outgoing = {
      conversation: conversationOf(this.delivery),
      after: this.delivery.message.id,
      reply,
    };
    await sendOnce(replySender, outgoing, { clock });
  }
}

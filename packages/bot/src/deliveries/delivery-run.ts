import { randomBytes } from 'node:crypto';

import { BotError, type BotErrorCode } from '../bot-error.ts';
import type { Clock } from '../clock.ts';
import { DeliveryContext, type ContextBackend } from '../delivery-context.ts';
import type { Delivery } from '../delivery.ts';
import { type DeliveryInfo, type Hooks, logFailure, report } from '../hooks.ts';
import { type AnyBot, type BotInternals, internals } from '../internals.ts';
import { type HandlerResult, type CheckedReply, toReply } from '../reply.ts';
import { placeOf } from '../rest/place.ts';
import type { Rest } from '../rest/rest.ts';
import type { ConversationTask } from './conversation-order.ts';
import type { PendingReplies } from './pending-replies.ts';
import { Replies } from './replies.ts';
import { sendOnce } from './send-once.ts';
import { TypingNotice } from './typing-notice.ts';

/** What the runs of one bot share. */
export interface RunEnvironment {
  readonly bot: AnyBot;
  readonly hooks: Hooks;
  readonly pending: PendingReplies | undefined;
  readonly ended: (run: DeliveryRun) => void;
}

type Outcome = 'replied' | 'silent' | 'failed';

/** One delivery from its arrival to the end of its handler. */
export class DeliveryRun implements ConversationTask, ContextBackend {
  readonly delivery: Delivery;
  readonly key: number;
  readonly arrivedAt: number;
  /** When its handler was called; undefined while it waits for others of its conversation. */
  startedAt: number | undefined;
  /** The answer, once it is known. */
  given: { readonly reply: CheckedReply | undefined } | undefined;
  readonly #environment: RunEnvironment;
  readonly #internals: BotInternals;
  readonly #replies: Replies;
  /** Resolves when the handler has ended, and what it said is sent. */
  get finished(): Promise<void> {
    if (this.#ended) return Promise.resolve();
    return new Promise((resolve) => this.#whenEnded.push(resolve));
  }
  #ended = false;
  readonly #whenEnded: (() => void)[] = [];
  #answer: PromiseWithResolvers<CheckedReply | undefined> | undefined;
  #controller: AbortController | undefined;
  #superseded = false;
  #deferred = false;
  #typing: TypingNotice | undefined;
  #outcome: Outcome | undefined;
  #expire: ((error: BotError) => void) | undefined;

  constructor(environment: RunEnvironment, delivery: Delivery, key: number) {
    this.#environment = environment;
    this.#internals = environment.bot[internals];
    this.delivery = delivery;
    this.key = key;
    this.arrivedAt = this.#internals.clock.now();
    const { replySender, clock } = this.#internals;
    this.#replies = new Replies({
      answer: (reply) => {
        this.given = { reply };
        this.#answer?.resolve(reply);
      },
      // The Slack-compatible form does not tell the topic: there is no saying anything there.
      say: replySender && delivery.message.id > 0 ? (reply) => this.#say(reply) : undefined,
      clock,
    });
  }

  /** Settles with the reply that answers the delivery; undefined says nothing. Never rejects. */
  get answer(): Promise<CheckedReply | undefined> {
    if (this.given) return Promise.resolve(this.given.reply);
    this.#answer ??= Promise.withResolvers();
    return this.#answer.promise;
  }

  get about(): DeliveryInfo {
    const { trigger, message } = this.delivery;
    return { bot_email: this.#environment.bot.email, message_id: message.id, trigger };
  }

  /** A newer message has come: this one's reply is not wanted any more. */
  supersede(): void {
    this.#superseded = true;
    this.abort(new BotError('handler_timeout', 'A newer message has taken the place of this one.'));
    this.#replies.answerNow();
  }

  abort(reason: BotError): void {
    this.#controller ??= new AbortController();
    this.#controller.abort(reason);
  }

  /** The handler has had its time: it is told to stop, and nobody waits for it any longer. */
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
   * The deadline has come. With an API key the delivery is answered, and its reply follows by REST;
   * without one it stays open: the server asks again, and is given the reply then.
   */
  async defer(): Promise<void> {
    if (this.given !== undefined || this.#deferred) return;
    const { replySender } = this.#internals;
    const { hooks, pending, bot } = this.#environment;
    this.#deferred = true;
    if (replySender === undefined || this.delivery.message.id === 0) return;
    try {
      const reply = this.#replies.sent > 0 ? { content: '' } : null;
      await pending?.write({ delivery: this.delivery, reply });
    } catch (error) {
      const message = 'The store does not keep what the bot owes: a crash would lose this reply.';
      report(hooks.onWarning, { code: 'store_failed', message, bot_email: bot.email, error });
    }
    if (this.given !== undefined) return;
    if (hooks.onDelivery) report(hooks.onDelivery, { outcome: 'deferred', ...this.about });
    this.#replies.answerNow();
  }

  /** Shows that the bot is typing, if its handler takes long. */
  showTyping(now: number): void {
    if (this.startedAt === undefined || !this.#internals.typing) return;
    const { rest } = this.#internals;
    this.#typing ??= rest && new TypingNotice({ rest, place: placeOf(this.delivery) });
    this.#typing?.show(now - this.startedAt);
  }

  /** Ends before it returns when the handler does, as most do, and is no promise then. */
  run(): Promise<void> | undefined {
    if (this.#superseded) return this.#conclude('silent');
    this.startedAt = this.#internals.clock.now();
    const context = new DeliveryContext(this.delivery, this);
    try {
      const handled = this.#handled(context);
      if (isThenable(handled)) return this.#wait(handled, context);
      const ending = this.#end(handled);
      return ending === undefined ? this.#conclude(this.#outcome) : this.#wait(ending, context);
    } catch (error) {
      return this.#fail(error, context);
    }
  }

  /** Waits for a handler, or for its replies to be sent. */
  async #wait(
    work: PromiseLike<HandlerResult> | Promise<void>,
    context: DeliveryContext,
  ): Promise<void> {
    try {
      const result = await this.#inTime(work);
      if (this.#outcome === undefined) await this.#end(result);
    } catch (error) {
      return this.#fail(error, context);
    }
    await this.#conclude(this.#outcome);
  }

  /** What a handler returned goes where it belongs. Throws on what is no reply. */
  #end(result: HandlerResult | void): Promise<void> | undefined {
    const reply = toReply(result);
    const ending = this.#replies.end(this.#superseded ? undefined : reply);
    this.#outcome = reply !== undefined || this.#replies.any ? 'replied' : 'silent';
    return ending;
  }

  #conclude(outcome: Outcome = 'silent'): Promise<void> | undefined {
    this.#typing?.stop();
    const via = this.#deferred && this.given !== undefined ? 'rest' : 'response';
    if (this.given === undefined) this.#replies.answerNow();
    const { pending } = this.#environment;
    if (!this.#deferred || pending === undefined) return this.#leave(outcome, via);
    return pending
      .settle(this.delivery)
      .catch(() => {})
      .then(() => this.#leave(outcome, via));
  }

  #leave(outcome: Outcome, via: 'response' | 'rest'): undefined {
    const { hooks } = this.#environment;
    if (hooks.onDelivery) {
      const duration_ms = this.#internals.clock.now() - this.arrivedAt;
      report(hooks.onDelivery, { outcome, via, duration_ms, ...this.about });
    }
    this.#ended = true;
    this.#environment.ended(this);
    for (const resolve of this.#whenEnded) resolve();
  }

  #handled(context: DeliveryContext): HandlerResult | Promise<HandlerResult> {
    const { around } = this.#environment.hooks;
    const { respond } = this.#internals;
    return around ? around(this.about, async () => respond(context)) : respond(context);
  }

  /** What a handler promised, unless its time is up before. */
  #inTime(handled: PromiseLike<HandlerResult> | Promise<void>): Promise<HandlerResult> {
    return new Promise((resolve, reject) => {
      this.#expire = reject;
      handled.then(resolve, reject);
    });
  }

  async #fail(error: unknown, context: DeliveryContext): Promise<void> {
    if (!this.#superseded) await this.#tell(error, context);
    await this.#conclude('failed');
  }

  async #tell(error: unknown, context: DeliveryContext): Promise<void> {
    const { onError = logFailure } = this.#environment.hooks;
    const code: BotErrorCode = error instanceof BotError ? error.code : 'handler_failed';
    const reference = randomBytes(4).toString('hex');
    const failure = { error, code, reference, ...this.about };
    report(onError, failure);
    try {
      await this.#replies.end(await this.#internals.explain(failure, context));
    } catch (cause) {
      // The reason is the first failure, or the next one with the same reference.
      if (code !== 'api_missing') report(onError, { ...failure, error: cause });
    }
  }

  signal(): AbortSignal {
    return (this.#controller ??= new AbortController()).signal;
  }

  get pauses(): Clock {
    return this.#internals.pauses;
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

  async add(reply: CheckedReply): Promise<void> {
    if (this.#superseded) return;
    await this.#replies.add(reply);
  }

  async before(): Promise<void> {
    if (this.#superseded) throw this.#controller?.signal.reason;
    if (this.#deferred) await this.#owe({ content: '' });
    await this.#replies.before();
  }

  rest(): Rest {
    const { rest } = this.#internals;
    if (rest !== undefined) return rest;
    const message = 'This needs the REST API: give createBot `api: { url, apiKey }`.';
    throw new BotError('api_missing', message);
  }

  /** Writes down what is being said, so that a crash does not have it said twice. */
  async #owe(reply: CheckedReply): Promise<void> {
    await this.#environment.pending?.write({ delivery: this.delivery, reply }).catch(() => {});
  }

  async #say(reply: CheckedReply): Promise<void> {
    const { replySender, clock } = this.#internals;
    if (replySender === undefined || this.#superseded) return;
    if (this.#deferred) await this.#owe(reply);
    const saying = { place: placeOf(this.delivery), after: this.delivery.message.id, reply };
    await sendOnce(replySender, saying, { clock });
  }
}

const isThenable = (result: unknown): result is PromiseLike<HandlerResult> =>
  typeof result === 'object' &&
  result !== null &&
  'then' in result &&
  typeof result.then === 'function';

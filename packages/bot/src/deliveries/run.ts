import { randomBytes } from 'node:crypto';

import { BotError, type BotErrorCode } from '../bot-error.ts';
import type { Clock } from '../clock.ts';
import type { Delivery } from '../delivery.ts';
import { type About, type Hooks, logFailure, report } from '../hooks.ts';
import { type AnyBot, type BotInside, inside } from '../inside.ts';
import { LiveContext, type Means } from '../live-context.ts';
import { type HandlerResult, type CheckedReply, toReply } from '../reply.ts';
import { placeOf } from '../rest/place.ts';
import type { Rest } from '../rest/rest.ts';
import type { Ordered } from './conversation-order.ts';
import type { Debts } from './debts.ts';
import { Replies } from './replies.ts';
import { sayOnce } from './say-once.ts';
import { TypingNotice } from './typing-notice.ts';

/** What the runs of one bot share. */
export interface Setting {
  readonly bot: AnyBot;
  readonly hooks: Hooks;
  readonly debts: Debts | undefined;
  readonly ended: (run: Run) => void;
}

type Outcome = 'replied' | 'silent' | 'failed';

/** One delivery from its arrival to the end of its handler. */
export class Run implements Ordered, Means {
  readonly delivery: Delivery;
  readonly key: number;
  readonly arrivedAt: number;
  /** When its handler was called; undefined while it waits for others of its conversation. */
  startedAt: number | undefined;
  /** The answer, once it is known. */
  given: { readonly reply: CheckedReply | undefined } | undefined;
  readonly #setting: Setting;
  readonly #inside: BotInside;
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

  constructor(setting: Setting, delivery: Delivery, key: number) {
    this.#setting = setting;
    this.#inside = setting.bot[inside];
    this.delivery = delivery;
    this.key = key;
    this.arrivedAt = this.#inside.clock.now();
    const { speaker, clock } = this.#inside;
    this.#replies = new Replies({
      answer: (reply) => {
        this.given = { reply };
        this.#answer?.resolve(reply);
      },
      // The Slack-compatible form does not tell the topic: there is no saying anything there.
      say: speaker && delivery.message.id > 0 ? (reply) => this.#say(reply) : undefined,
      clock,
    });
  }

  /** Settles with the reply that answers the delivery; undefined says nothing. Never rejects. */
  get answer(): Promise<CheckedReply | undefined> {
    if (this.given) return Promise.resolve(this.given.reply);
    this.#answer ??= Promise.withResolvers();
    return this.#answer.promise;
  }

  get about(): About {
    const { trigger, message } = this.delivery;
    return { bot_email: this.#setting.bot.email, message_id: message.id, trigger };
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
    const minutes = Math.round(this.#inside.handlerTimeoutMs / 60_000);
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
    const { speaker } = this.#inside;
    const { hooks, debts, bot } = this.#setting;
    this.#deferred = true;
    if (speaker === undefined || this.delivery.message.id === 0) return;
    try {
      const reply = this.#replies.sent > 0 ? { content: '' } : null;
      await debts?.write({ delivery: this.delivery, reply });
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
    if (this.startedAt === undefined || !this.#inside.typing) return;
    const { rest } = this.#inside;
    this.#typing ??= rest && new TypingNotice({ rest, place: placeOf(this.delivery) });
    this.#typing?.show(now - this.startedAt);
  }

  /** Ends before it returns when the handler does, as most do, and is no promise then. */
  run(): Promise<void> | undefined {
    if (this.#superseded) return this.#conclude('silent');
    this.startedAt = this.#inside.clock.now();
    const context = new LiveContext(this.delivery, this);
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
    context: LiveContext,
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
    const { debts } = this.#setting;
    if (!this.#deferred || debts === undefined) return this.#leave(outcome, via);
    return debts
      .settle(this.delivery)
      .catch(() => {})
      .then(() => this.#leave(outcome, via));
  }

  #leave(outcome: Outcome, via: 'response' | 'rest'): undefined {
    const { hooks } = this.#setting;
    if (hooks.onDelivery) {
      const duration_ms = this.#inside.clock.now() - this.arrivedAt;
      report(hooks.onDelivery, { outcome, via, duration_ms, ...this.about });
    }
    this.#ended = true;
    this.#setting.ended(this);
    for (const resolve of this.#whenEnded) resolve();
  }

  #handled(context: LiveContext): HandlerResult | Promise<HandlerResult> {
    const { around } = this.#setting.hooks;
    const { respond } = this.#inside;
    return around ? around(this.about, async () => respond(context)) : respond(context);
  }

  /** What a handler promised, unless its time is up before. */
  #inTime(handled: PromiseLike<HandlerResult> | Promise<void>): Promise<HandlerResult> {
    return new Promise((resolve, reject) => {
      this.#expire = reject;
      handled.then(resolve, reject);
    });
  }

  async #fail(error: unknown, context: LiveContext): Promise<void> {
    if (!this.#superseded) await this.#tell(error, context);
    await this.#conclude('failed');
  }

  async #tell(error: unknown, context: LiveContext): Promise<void> {
    const { onError = logFailure } = this.#setting.hooks;
    const code: BotErrorCode = error instanceof BotError ? error.code : 'handler_failed';
    const reference = randomBytes(4).toString('hex');
    const failure = { error, code, reference, ...this.about };
    report(onError, failure);
    try {
      await this.#replies.end(await this.#inside.explain(failure, context));
    } catch (cause) {
      // The reason is the first failure, or the next one with the same reference.
      if (code !== 'api_missing') report(onError, { ...failure, error: cause });
    }
  }

  signal(): AbortSignal {
    return (this.#controller ??= new AbortController()).signal;
  }

  get pauses(): Clock {
    return this.#inside.pauses;
  }

  get begin(): Means['begin'] {
    return this.#inside.begin;
  }

  get later(): Means['later'] {
    return this.#inside.later;
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
    const { rest } = this.#inside;
    if (rest !== undefined) return rest;
    const message = 'This needs the REST API: give createBot `api: { url, apiKey }`.';
    throw new BotError('api_missing', message);
  }

  /** Writes down what is being said, so that a crash does not have it said twice. */
  async #owe(reply: CheckedReply): Promise<void> {
    await this.#setting.debts?.write({ delivery: this.delivery, reply }).catch(() => {});
  }

  async #say(reply: CheckedReply): Promise<void> {
    const { speaker, clock } = this.#inside;
    if (speaker === undefined || this.#superseded) return;
    if (this.#deferred) await this.#owe(reply);
    const saying = { place: placeOf(this.delivery), after: this.delivery.message.id, reply };
    await sayOnce(speaker, saying, { clock });
  }
}

const isThenable = (result: unknown): result is PromiseLike<HandlerResult> =>
  typeof result === 'object' &&
  result !== null &&
  'then' in result &&
  typeof result.then === 'function';

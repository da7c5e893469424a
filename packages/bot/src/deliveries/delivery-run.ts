import { randomBytes } from 'node:crypto';

import { BotError, notEnded } from '../bot-error.ts';
import type { Delivery } from '../delivery.ts';
import { type DeliveryInfo, type Hooks, logFailure, report, type Warning } from '../hooks.ts';
import { type CheckedReply, type HandlerResult, toReply } from '../rest/reply.ts';
import { type BotServices, Turn } from '../routing/turn.ts';
import type { ConversationTask } from './conversations.ts';
import { DeliveryRecord, type LeftDelivery } from './delivery-record.ts';
import type { DeliveryRecords } from './delivery-records.ts';
import { type RepliedRun, Replies } from './replies.ts';
import { TypingNotice } from './typing-notice.ts';

/** The parts that all runs of one bot share. */
export interface RunEnvironment {
  readonly services: BotServices;
  readonly hooks: Hooks;
  /** Undefined for a bot without a store. */
  readonly records: DeliveryRecords | undefined;
  /** See DispatcherOptions. */
  readonly deadlineMs: number;
}

export interface RunOptions {
  /** All replies go by REST: no answer to the delivery is open. */
  readonly byRest?: boolean;
  /** An earlier process may have sent the replies. */
  readonly maybeSent?: boolean;
  /** The delivery was left by another process. */
  readonly left?: LeftDelivery;
}

/** `repeated`: another process has handled the delivery. */
type RunOutcome = 'replied' | 'silent' | 'failed' | 'repeated';

/** One delivery from its arrival to the end of its handler. */
export class DeliveryRun implements ConversationTask, RepliedRun {
  readonly delivery: Delivery;
  /** Identifies the delivery. */
  readonly key: number;
  readonly services: BotServices;
  readonly byRest: boolean;
  readonly maybeSent: boolean;
  readonly record: DeliveryRecord | undefined;
  readonly replies: Replies;
  readonly arrivedAt: number;
  /** When the handler was called; undefined while earlier messages of the conversation are handled. */
  startedAt: number | undefined;
  /** A reply in place of calling the handler. */
  fixedReply: { readonly reply: CheckedReply | undefined } | undefined;
  /** A newer message or another process has taken the place of this run. */
  superseded = false;
  readonly #environment: RunEnvironment;
  readonly #ended = Promise.withResolvers<void>();
  readonly #controller = new AbortController();
  #state: 'waiting' | 'handling' | 'handled' | 'expired' | 'ended' = 'waiting';
  /** The delivery is left to another process, or to the next run of this one. */
  #left = false;
  #turn: Turn | undefined;
  #typing: TypingNotice | undefined;

  constructor(
    environment: RunEnvironment,
    { delivery, key }: { delivery: Delivery; key: number },
    options: RunOptions = {},
  ) {
    this.#environment = environment;
    this.services = environment.services;
    this.delivery = delivery;
    this.key = key;
    this.byRest = options.byRest ?? false;
    this.maybeSent = options.maybeSent ?? false;
    this.arrivedAt = this.services.clock.now();
    this.replies = new Replies(this);
    const { records } = environment;
    this.record = records && this.#newRecord(records, options);
  }

  /** Resolves when the handler has ended and its replies are sent. Never rejects. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** The reason of the signal says why the handler should stop. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get info(): DeliveryInfo {
    const { trigger, message } = this.delivery;
    return { botEmail: this.services.email, messageId: message.id, trigger };
  }

  /** Calls the handler, sends what it replies, and reports the outcome. Never rejects. */
  run(): Promise<void> {
    void this.#run();
    return this.ended;
  }

  async #run(): Promise<void> {
    let outcome: RunOutcome | undefined;
    if (this.record !== undefined) outcome = await this.#outcomeBefore(this.record);
    if (this.superseded) outcome ??= 'silent';
    if (outcome !== undefined) return this.#conclude(outcome);
    this.startedAt = this.services.clock.now();
    this.#state = 'handling';
    const turn = new Turn(this.delivery, this.services, this);
    this.#turn = turn;
    try {
      const { fixedReply } = this;
      const reply = fixedReply ? fixedReply.reply : toReply(await this.#handle(turn));
      if (this.#state !== 'handling') return;
      this.#state = 'handled';
      await this.replies.end(reply);
      outcome = reply !== undefined || this.replies.any ? 'replied' : 'silent';
    } catch (error) {
      if (this.#state !== 'handling' && this.#state !== 'handled') return;
      this.#state = 'handled';
      outcome = 'failed';
      if (!this.superseded) await this.#fail(error, turn);
    }
    void this.#conclude(outcome);
  }

  /** The outcome of a delivery that needs no handler any more; undefined if it needs one. */
  async #outcomeBefore(record: DeliveryRecord): Promise<RunOutcome | undefined> {
    try {
      if (!(await record.claim())) return 'repeated';
    } catch (error) {
      this.warn('store_failed', 'The store fails: a message is not handled.', error);
      this.#left = true;
      return 'failed';
    }
    const { unsent } = record;
    if (unsent !== undefined && !this.superseded) return this.#sendLeft(unsent);
    // The deadline may have passed before this process had claimed the delivery.
    const age = this.services.clock.now() - this.arrivedAt;
    if (age >= this.#environment.deadlineMs) await this.replies.defer();
    return undefined;
  }

  #handle(turn: Turn): Promise<HandlerResult> {
    const { around } = this.#environment.hooks;
    if (around === undefined) return this.services.respond(turn);
    return around(this.info, () => this.services.respond(turn));
  }

  /** Reports the failure of the handler, and replies with its reference. */
  async #fail(error: unknown, turn: Turn): Promise<void> {
    const { onError = logFailure } = this.#environment.hooks;
    const code = error instanceof BotError ? error.code : 'handler_failed';
    const reference = randomBytes(4).toString('hex');
    const failure = { error, code, reference, ...this.info };
    report(onError, failure);
    try {
      const reply = await this.services.explain(failure, turn);
      await this.replies.end(reply && { ...reply, error: `${code}, reference ${reference}` });
    } catch (cause) {
      // Without an API key the explanation cannot be sent either: the first report says enough.
      if (code !== 'api_missing') report(onError, { ...failure, error: cause });
    }
  }

  async #conclude(outcome: RunOutcome): Promise<void> {
    this.#typing?.stop();
    const { via } = this.replies;
    this.replies.answerNow();
    if (this.record !== undefined && !this.#left) await this.#end(this.record);
    const { onDelivery } = this.#environment.hooks;
    if (onDelivery) {
      const durationMs = this.services.clock.now() - this.arrivedAt;
      const about = this.info;
      report(
        onDelivery,
        outcome === 'repeated' ? { outcome, ...about } : { outcome, via, durationMs, ...about },
      );
    }
    this.#state = 'ended';
    this.#ended.resolve();
  }

  /** A newer message has come: the handler is told to stop, and its reply is dropped. */
  supersede(): void {
    this.#drop('A newer message has taken the place of this one.');
  }

  #drop(why: string): void {
    this.superseded = true;
    this.abort(new BotError('handler_timeout', why));
    this.replies.answerNow();
  }

  /** The first reason counts. */
  abort(reason: BotError): void {
    this.#controller.abort(reason);
  }

  /** The handler has reached its time limit: it is told to stop, and the run ends without it. */
  async expire(): Promise<void> {
    if (this.#state !== 'handling' || this.#turn === undefined) return;
    this.#state = 'expired';
    const error = notEnded(this.services.handlerTimeoutMs);
    this.abort(error);
    if (!this.superseded) await this.#fail(error, this.#turn);
    await this.#conclude('failed');
  }

  /** Shows that the bot is typing if its handler has been running for long. */
  showTyping(now: number): void {
    const { rest, typing } = this.services;
    if (this.startedAt === undefined || !typing) return;
    this.#typing ??= rest && new TypingNotice({ rest, conversation: this.replies.conversation });
    this.#typing?.show(now - this.startedAt);
  }

  #newRecord(records: DeliveryRecords, { left }: RunOptions): DeliveryRecord {
    const record = new DeliveryRecord({
      records,
      delivery: this.delivery,
      key: this.key,
      byRest: this.byRest,
      left,
      withinMs: this.services.handlerTimeoutMs,
      onAnswered: (reply) => this.replies.answerWith(reply),
      onLost: () => {
        const message =
          'Another process has taken a message over: this one did not renew its claim in time.';
        this.warn('store_failed', message);
        this.replies.retract();
        this.#drop(message);
      },
    });
    // One that another process has left is claimed in its turn (decision 108). The result of this call
    // is awaited in the turn too: until then a rejection counts as handled.
    if (left === undefined) record.claim().catch(() => {});
    return record;
  }

  async #end(record: DeliveryRecord): Promise<void> {
    try {
      await record.end(this.replies.answered?.reply);
    } catch (error) {
      this.warn('store_failed', 'The store cannot note that a message is answered.', error);
    }
  }

  /** Sends the reply that another process was sending when it died. */
  async #sendLeft(reply: CheckedReply): Promise<RunOutcome> {
    try {
      await this.replies.sendLeft(reply);
      return 'replied';
    } catch (error) {
      this.warn('store_failed', 'A pending reply of an earlier run could not be sent.', error);
      this.#left = !(error instanceof BotError && error.code === 'api_rejected');
      if (this.#left) this.record?.leave();
      return 'failed';
    }
  }

  onDeferred(): void {
    const { onDelivery } = this.#environment.hooks;
    if (onDelivery) report(onDelivery, { outcome: 'deferred', ...this.info });
  }

  warn(code: Warning['code'], message: string, error?: unknown): void {
    const about = { code, message, botEmail: this.services.email };
    report(this.#environment.hooks.onWarning, error === undefined ? about : { ...about, error });
  }
}

import { hash } from 'node:crypto';

import { BotError } from '../bot-error.ts';
import type { Delivery } from '../delivery.ts';
import { type Hooks, logWarning, report, type Warning } from '../hooks.ts';
import { type AnyBot, type BotInternals, internals } from '../internals.ts';
import type { CheckedReply } from '../reply.ts';
import { type Admission, Conversations } from './conversations.ts';
import { DeliveryClaims } from './delivery-claims.ts';
import type { StoredDeliveries } from './delivery-progress.ts';
import { DeliveryRun, type RunEnvironment, type RunOptions } from './delivery-run.ts';
import { EndedDeliveries } from './ended-deliveries.ts';
import { PendingReplies, type PendingReply } from './pending-replies.ts';
import { RecentEntries } from './recent-entries.ts';
import { type PendingReplySearch, searchPendingReplies } from './search-pending-replies.ts';

export interface DispatcherOptions {
  readonly hooks: Hooks;
  /** How long an answer may take, in milliseconds; later replies are sent by REST. */
  readonly deadlineMs: number;
}

/** The answer of a delivery without a reply. */
const SILENCE = 'silence';

/** Answers to repeated deliveries: the newest 5000 of a bot at least, or 4 MB. */
const KEPT_ANSWERS = { size: 5000, weight: 4_000_000 };

/** How much a kept answer weighs beside its text. */
const ENTRY_WEIGHT = 100;

/**
 * Hands the deliveries of one bot to its handlers. A delivery is handled once, however often it
 * arrives: a repeat waits for the running handler, or gets the answer of the first. The deliveries
 * of one conversation are handled in order.
 */
export class DeliveryDispatcher {
  readonly #bot: AnyBot;
  readonly #internals: BotInternals;
  readonly #deadlineMs: number;
  readonly #hooks: Hooks;
  /** The runs that have not ended, in no order. */
  readonly #running: DeliveryRun[] = [];
  /** The runs by their keys, and the answers of those that have ended. */
  readonly #known = new RecentEntries<DeliveryRun | CheckedReply | typeof SILENCE>(KEPT_ANSWERS);
  readonly #conversations: Conversations;
  readonly #environment: RunEnvironment;
  /** Resolves when the pending replies in a store for one process are known. */
  #recovered: Promise<void> | undefined;
  readonly #search: PendingReplySearch | undefined;
  #watching = false;
  #warned = false;

  constructor(bot: AnyBot, { hooks, deadlineMs }: DispatcherOptions) {
    this.#bot = bot;
    this.#internals = bot[internals];
    this.#deadlineMs = deadlineMs;
    this.#hooks = { onWarning: logWarning, ...hooks };
    this.#internals.warnings.tell = (warning) => report(this.#hooks.onWarning, warning);
    const { store, clock } = this.#internals;
    this.#conversations = new Conversations(this.#internals);
    const stored: StoredDeliveries | undefined = store && {
      pending: new PendingReplies(store, clock, bot.email),
      claims: store.singleProcess ? undefined : new DeliveryClaims(store, clock, bot.email),
      ended: store.singleProcess ? new EndedDeliveries(store, clock, bot.email) : undefined,
    };
    const onEnded = (run: DeliveryRun) => this.#forget(run);
    this.#environment = { bot, hooks: this.#hooks, stored, onEnded };
    this.#search =
      stored &&
      searchPendingReplies(stored, clock, {
        onEnded: (key) => this.#known.set(key, SILENCE, ENTRY_WEIGHT),
        onFound: (left) => this.#takeOver(left, stored),
        onFailed: (error) => {
          const message =
            'The store cannot be read: pending replies of an earlier run are not sent now.';
          this.#warn('store_failed', message, error);
        },
      });
    if (stored?.claims === undefined)
      this.#recovered = this.#search?.searched.then(() => (this.#recovered = undefined));
  }

  /** Resolves with the reply that answers a delivery; undefined is silence. Never rejects. */
  accept(delivery: Delivery): Promise<CheckedReply | undefined> {
    if (this.#recovered) return this.#recovered.then(() => this.accept(delivery));
    const key = keyOf(delivery);
    const known = this.#known.get(key);
    if (known === undefined) return this.#handle(delivery, key).replies.answer;
    this.#report('repeated', delivery);
    if (known instanceof DeliveryRun) return known.replies.answer;
    return Promise.resolve(known === SILENCE ? undefined : known);
  }

  /**
   * Handles a delivery whose replies all go by REST. Resolves when they are sent. With `maybeSent`, an
   * earlier connection of this process may have sent them. Never rejects.
   */
  async handle(delivery: Delivery, { maybeSent }: { maybeSent: boolean }): Promise<void> {
    if (this.#recovered) await this.#recovered;
    const key = keyOf(delivery);
    const known = this.#known.get(key);
    if (known === undefined) return this.#handle(delivery, key, { byRest: true, maybeSent }).ended;
    this.#report('repeated', delivery);
    if (known instanceof DeliveryRun) await known.ended;
  }

  /** Resolves when the handler of a delivery has ended. */
  async ended(delivery: Delivery): Promise<void> {
    const known = this.#known.get(keyOf(delivery));
    if (known instanceof DeliveryRun) await known.ended;
  }

  /** Resolves when no handler runs. */
  async idle(): Promise<void> {
    while (this.#running.length > 0) await Promise.all(this.#running.map((run) => run.ended));
  }

  /** Stops sending the replies of other processes: this one ends. */
  stop(): void {
    this.#search?.stop();
  }

  /** Aborts the signals of all handlers. */
  abort(): void {
    const reason = new BotError('shutting_down', 'The program ends.');
    for (const run of this.#running) run.abort(reason);
  }

  #handle(delivery: Delivery, key: number, options?: RunOptions): DeliveryRun {
    const run = this.#newRun(delivery, key, options);
    const admission = this.#conversations.admit(run, this.#internals.clock.now());
    if (admission === 'added') return run;
    run.fixedReply = { reply: this.#replyInPlace(admission, delivery) };
    void run.run();
    return run;
  }

  /** The reply to a delivery that is not handled; undefined is silence. */
  #replyInPlace(admission: Admission, delivery: Delivery): CheckedReply | undefined {
    if (admission !== 'full') this.#report('paused', delivery);
    if (admission === 'limit_reached') return this.#pauseReply();
    const isMessage = delivery.change === undefined;
    if (admission === 'paused' || !isMessage) return undefined;
    return { content: 'Too many messages wait here already. Please ask again later.' };
  }

  #newRun(delivery: Delivery, key: number, options?: RunOptions): DeliveryRun {
    const run = new DeliveryRun(this.#environment, { delivery, key }, options);
    run.index = this.#running.push(run) - 1;
    if (this.#known.set(run.key, run, ENTRY_WEIGHT))
      for (const running of this.#running) this.#known.set(running.key, running, ENTRY_WEIGHT);
    if (!this.#watching) this.#watch();
    return run;
  }

  #forget(run: DeliveryRun): void {
    const last = this.#running.pop();
    if (last !== undefined && last !== run) {
      this.#running[run.index] = last;
      last.index = run.index;
    }
    const { answered } = run.replies;
    if (answered) {
      const { reply } = answered;
      this.#known.set(run.key, reply ?? SILENCE, ENTRY_WEIGHT + (reply?.content.length ?? 0));
    }
    this.#conversations.ended(run);
  }

  #pauseReply(): CheckedReply {
    const message =
      `The bot was to reply more than ${this.#internals.maxRepliesPerMinute} times within a minute in ` +
      'one conversation, and pauses there for five minutes. Does another bot answer it? If this is ' +
      'meant, give createBot a higher `maxRepliesPerMinute`.';
    this.#warn('paused', message);
    return { content: 'I reply too often here, and pause for five minutes.' };
  }

  #report(outcome: 'repeated' | 'paused', { trigger, message }: Delivery): void {
    if (!this.#hooks.onDelivery) return;
    const about = { botEmail: this.#bot.email, messageId: message.id, trigger };
    report(this.#hooks.onDelivery, { outcome, ...about });
  }

  #warn(code: Warning['code'], message: string, error?: unknown): void {
    const about = { code, message, botEmail: this.#bot.email };
    report(this.#hooks.onWarning, error === undefined ? about : { ...about, error });
  }

  /** Checks all runs for deadlines while there are any: one timer for all of them. */
  #watch(): void {
    const { clock, handlerTimeoutMs } = this.#internals;
    this.#watching = true;
    const tickMs = Math.max(1, Math.min(100, this.#deadlineMs / 10, handlerTimeoutMs / 10));
    clock.after(tickMs, () => {
      const now = clock.now();
      for (const run of this.#running.slice()) {
        run.showTyping(now);
        if (now - run.arrivedAt >= this.#deadlineMs) this.#defer(run);
        if (now - (run.startedAt ?? now) >= handlerTimeoutMs) void run.expire();
      }
      if (this.#running.length > 0) this.#watch();
      else this.#watching = false;
    });
  }

  #defer(run: DeliveryRun): void {
    void run.replies.defer();
    if (this.#internals.replySender !== undefined || this.#warned) return;
    this.#warned = true;
    const message =
      `A reply took longer than ${this.#deadlineMs} ms. The server will ask again and be given it ` +
      'then, a few times. Give createBot `api: { url, apiKey }`, and late replies go by REST.';
    this.#warn('api_missing', message);
  }

  /** Handles a delivery whose pending reply another process has left. */
  #takeOver(left: PendingReply, { claims, pending }: StoredDeliveries): void {
    const { delivery } = left;
    const key = keyOf(delivery);
    const known = this.#known.get(key);
    if (this.#internals.replySender === undefined || known instanceof DeliveryRun) return;
    if (claims === undefined && known !== undefined) {
      // The process was killed between its note that the delivery has ended and the removal.
      pending.settle(delivery).catch((error: unknown) => {
        const message = 'The store cannot remove a pending reply that was sent.';
        this.#warn('store_failed', message, error);
      });
      return;
    }
    const run = this.#newRun(delivery, key, { byRest: true, left });
    // A process that lives still handles the delivery: other messages do not wait for it.
    if (claims !== undefined) void run.run();
    else this.#conversations.add(run, this.#internals.clock.now());
  }
}

/**
 * Identifies a delivery: the id of its message, or a digest of the id of a change, or of the Slack form,
 * which has no id.
 */
function keyOf({ message, change }: Delivery): number {
  if (change !== undefined) return digestOf(['change', change.id]);
  if (message.id > 0) return message.id;
  const { sender, timestamp, content } = message;
  const place = 'channel' in message ? message.channel.id : 0;
  return digestOf([sender.id, timestamp, place, content]);
}

const digestOf = (parts: readonly unknown[]): number =>
  -hash('sha256', JSON.stringify(parts), 'buffer').readUIntBE(0, 6);

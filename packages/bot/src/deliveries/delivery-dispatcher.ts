import { BotError } from '../bot-error.ts';
import type { Delivery } from '../delivery.ts';
import { type Hooks, logWarning, report, type Warning } from '../hooks.ts';
import type { CheckedReply } from '../rest/reply.ts';
import type { BotServices } from '../routing/turn.ts';
import { type Admission, Conversations } from './conversations.ts';
import type { LeftDelivery } from './delivery-record.ts';
import { DeliveryRecords, keyOf } from './delivery-records.ts';
import { DeliveryRun, type RunEnvironment, type RunOptions } from './delivery-run.ts';
import { RecentEntries } from './recent-entries.ts';
import { type LeftDeliverySearch, searchLeftDeliveries } from './search-left-deliveries.ts';

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
  readonly #services: BotServices;
  readonly #deadlineMs: number;
  readonly #hooks: Hooks;
  /** The runs that have not ended, by their keys. */
  #running = new Map<number, DeliveryRun>();
  /** The answers of those that have ended. */
  readonly #answers = new RecentEntries<CheckedReply | typeof SILENCE>(KEPT_ANSWERS);
  readonly #conversations: Conversations;
  readonly #environment: RunEnvironment;
  readonly #search: LeftDeliverySearch | undefined;
  /** Resolves when this process knows what an earlier one has left in a store for one process. */
  #recovered: Promise<void> | undefined;
  #watching = false;
  #warned = false;

  constructor(services: BotServices, { hooks, deadlineMs }: DispatcherOptions) {
    this.#services = services;
    this.#deadlineMs = deadlineMs;
    this.#hooks = { onWarning: logWarning, ...hooks };
    const { email, store, clock } = services;
    this.#conversations = new Conversations(this.#services);
    const records = store && new DeliveryRecords(store, clock, email);
    this.#environment = { services, hooks: this.#hooks, records, deadlineMs };
    this.#search = records && this.#searchLeft(records);
    if (records?.isShared === false)
      this.#recovered = this.#search?.searched.then(() => (this.#recovered = undefined));
  }

  /** Resolves with the reply that answers a delivery; undefined is silence. Never rejects. */
  accept(delivery: Delivery): Promise<CheckedReply | undefined> {
    if (this.#recovered) return this.#recovered.then(() => this.accept(delivery));
    const key = keyOf(delivery);
    const running = this.#running.get(key);
    const kept = this.#answers.get(key);
    if (running === undefined && kept === undefined)
      return this.#handle(delivery, key).replies.answer;
    this.#report('repeated', delivery);
    if (running !== undefined) return running.replies.answer;
    return Promise.resolve(kept === SILENCE ? undefined : kept);
  }

  /**
   * Handles a delivery whose replies all go by REST. Resolves when they are sent. With `maybeSent`, an
   * earlier connection of this process may have sent them. Never rejects.
   */
  async handle(delivery: Delivery, { maybeSent }: { maybeSent: boolean }): Promise<void> {
    if (this.#recovered) await this.#recovered;
    const key = keyOf(delivery);
    const running = this.#running.get(key);
    if (running === undefined && this.#answers.get(key) === undefined)
      return this.#handle(delivery, key, { byRest: true, maybeSent }).ended;
    this.#report('repeated', delivery);
    await running?.ended;
  }

  /** Resolves when the handler of a delivery has ended. */
  async ended(delivery: Delivery): Promise<void> {
    await this.#running.get(keyOf(delivery))?.ended;
  }

  /** Resolves when no handler runs. */
  async idle(): Promise<void> {
    while (this.#running.size > 0)
      await Promise.all(Array.from(this.#running.values(), (run) => run.ended));
  }

  /** Stops sending the replies of other processes: this one ends. */
  stop(): void {
    this.#search?.stop();
  }

  /** Aborts the signals of all handlers. */
  abort(): void {
    const reason = new BotError('shutting_down', 'The program ends.');
    for (const run of this.#running.values()) run.abort(reason);
  }

  #handle(delivery: Delivery, key: number, options?: RunOptions): DeliveryRun {
    const run = this.#newRun(delivery, key, options);
    const admission = this.#conversations.admit(run, this.#services.clock.now());
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

  /** A run that is known until its end, and its answer after that. */
  #newRun(delivery: Delivery, key: number, options?: RunOptions): DeliveryRun {
    const run = new DeliveryRun(this.#environment, { delivery, key }, options);
    this.#running.set(key, run);
    void run.ended.then(() => this.#keepAnswer(run));
    if (!this.#watching) this.#watch();
    return run;
  }

  #keepAnswer({ key, replies }: DeliveryRun): void {
    this.#running.delete(key);
    // A map that shrinks keeps what it has lost until a full collection; most of the time none runs.
    if (this.#running.size === 0) this.#running = new Map();
    const reply = replies.answered?.reply;
    this.#answers.set(key, reply ?? SILENCE, ENTRY_WEIGHT + (reply?.content.length ?? 0));
  }

  #pauseReply(): CheckedReply {
    const message =
      `The bot was to reply more than ${this.#services.maxRepliesPerMinute} times within a minute in ` +
      'one conversation, and pauses there for five minutes. Does another bot answer it? If this is ' +
      'meant, give createBot a higher `maxRepliesPerMinute`.';
    this.#warn('paused', message);
    return { content: 'I reply too often here, and pause for five minutes.' };
  }

  #report(outcome: 'repeated' | 'paused', { trigger, message }: Delivery): void {
    if (!this.#hooks.onDelivery) return;
    const about = { botEmail: this.#services.email, messageId: message.id, trigger };
    report(this.#hooks.onDelivery, { outcome, ...about });
  }

  #warn(code: Warning['code'], message: string, error?: unknown): void {
    const about = { code, message, botEmail: this.#services.email };
    report(this.#hooks.onWarning, error === undefined ? about : { ...about, error });
  }

  /** Checks all runs for deadlines while there are any: one timer for all of them. */
  #watch(): void {
    const { clock, handlerTimeoutMs } = this.#services;
    this.#watching = true;
    const tickMs = Math.max(1, Math.min(100, this.#deadlineMs / 10, handlerTimeoutMs / 10));
    clock.after(tickMs, () => {
      const now = clock.now();
      for (const run of this.#running.values()) {
        run.showTyping(now);
        if (now - run.arrivedAt >= this.#deadlineMs) this.#defer(run);
        if (now - (run.startedAt ?? now) >= handlerTimeoutMs) void run.expire();
      }
      if (this.#running.size > 0) this.#watch();
      else this.#watching = false;
    });
  }

  #defer(run: DeliveryRun): void {
    void run.replies.defer();
    if (this.#services.replySender !== undefined || this.#warned) return;
    this.#warned = true;
    const message =
      `A reply took longer than ${this.#deadlineMs} ms. The server will ask again and be given it ` +
      'then, a few times. Give createBot `api: { url, apiKey }`, and late replies go by REST.';
    this.#warn('api_missing', message);
  }

  /** Goes on with the deliveries that processes have left when they died. */
  #searchLeft(records: DeliveryRecords): LeftDeliverySearch {
    return searchLeftDeliveries(records, {
      isRunning: (key) => this.#running.has(key),
      onEnded: (key) => this.#answers.set(key, SILENCE, ENTRY_WEIGHT),
      onLeft: (left, key) => this.#takeOver(left, key),
      onFailed: (error) => {
        const message =
          'The store cannot be read: pending replies of an earlier run are not sent now.';
        this.#warn('store_failed', message, error);
      },
    });
  }

  #takeOver(left: LeftDelivery, key: number): void {
    if (this.#services.replySender === undefined) return;
    const run = this.#newRun(left.delivery, key, { byRest: true, left });
    this.#conversations.add(run, this.#services.clock.now());
  }
}

import { hash } from 'node:crypto';

import { BotError } from '../bot-error.ts';
import type { Delivery } from '../delivery.ts';
import { type Hooks, logWarning, report, type Warning } from '../hooks.ts';
import { type AnyBot, type BotInternals, internals } from '../internals.ts';
import type { CheckedReply } from '../reply.ts';
import { placeOf } from '../rest/place.ts';
import { ConversationOrder } from './conversation-order.ts';
import { conversationKey } from './conversation.ts';
import { DeliveryRun, type RunEnvironment } from './delivery-run.ts';
import { LoopGuard } from './loop-guard.ts';
import { type PendingReply, PendingReplies } from './pending-replies.ts';
import { RecentEntries } from './recent-entries.ts';
import { sendOnce } from './send-once.ts';

export interface DispatcherOptions {
  readonly hooks: Hooks;
  /** How long an answer may take; what takes longer follows by REST. */
  readonly deadlineMs: number;
}

/** A reply, or nothing to say, now or soon. */
type Answered = CheckedReply | undefined | Promise<CheckedReply | undefined>;

interface Given {
  readonly reply: CheckedReply | undefined;
}

/** Answers that a repeated delivery is given again: the newest 5000 of a bot at least, or 4 MB. */
const KEPT = { size: 5000, weight: 4_000_000 };

/**
 * Where the deliveries to one bot are dealt with. Each is handled once, however often it arrives: a
 * repeat joins the one that runs, or is given the answer of the one that ended. One conversation's
 * are handled in order.
 */
export class DeliveryDispatcher {
  readonly #bot: AnyBot;
  readonly #internals: BotInternals;
  readonly #deadlineMs: number;
  readonly #hooks: Hooks;
  readonly #running = new Map<number, DeliveryRun>();
  readonly #done = new RecentEntries<Given>(
    KEPT,
    ({ reply }) => 100 + (reply?.content.length ?? 0),
  );
  readonly #order: ConversationOrder;
  readonly #guard: LoopGuard;
  readonly #environment: RunEnvironment;
  #watching = false;
  #recovering: Promise<void> | undefined;
  #idle: (() => void)[] = [];
  #warned = false;

  constructor(bot: AnyBot, { hooks, deadlineMs }: DispatcherOptions) {
    this.#bot = bot;
    this.#internals = bot[internals];
    this.#deadlineMs = deadlineMs;
    this.#hooks = { onWarning: logWarning, ...hooks };
    this.#internals.warnings.tell = (warning) => report(this.#hooks.onWarning, warning);
    const { store, maxWaiting, maxRepliesPerMinute } = this.#internals;
    this.#order = new ConversationOrder(maxWaiting);
    this.#guard = new LoopGuard(maxRepliesPerMinute);
    const pending = store && new PendingReplies(store, bot.email);
    this.#environment = { bot, hooks: this.#hooks, pending, ended: (run) => this.#ended(run) };
    if (pending)
      this.#recovering = this.#recover(pending).finally(() => (this.#recovering = undefined));
  }

  /**
   * The reply that answers a delivery; undefined says nothing. Never rejects, and is no promise when
   * there was nothing to wait for.
   */
  accept(delivery: Delivery): Answered {
    if (this.#recovering) return this.#recovering.then(() => this.accept(delivery));
    const key = keyOf(delivery);
    const known = this.#running.get(key);
    if (known !== undefined) return this.#repeated(delivery, known.answer);
    const given = this.#done.get(key);
    if (given !== undefined) return this.#repeated(delivery, given.reply);
    return this.#start(delivery, key);
  }

  /** Resolves when the handler of a delivery has ended. */
  async ended(delivery: Delivery): Promise<void> {
    await this.#running.get(keyOf(delivery))?.finished;
  }

  /** Resolves when nothing runs any more. */
  idle(): Promise<void> {
    if (this.#running.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  /** Tells all handlers to stop. */
  abort(): void {
    const reason = new BotError('shutting_down', 'The program ends.');
    for (const run of this.#running.values()) run.abort(reason);
  }

  #start(delivery: Delivery, key: number): Answered {
    const conversation = conversationKey(delivery);
    const state = this.#guard.count(conversation, this.#internals.clock.now());
    if (state !== 'allowed') return this.#pause(delivery, key, state);
    const run = new DeliveryRun(this.#environment, delivery, key);
    this.#running.set(key, run);
    if (!this.#order.add(conversation, run, this.#internals.order)) {
      this.#running.delete(key);
      const reply = { content: 'Too many messages wait here already. Please ask again later.' };
      return this.#conclude(key, reply);
    }
    if (!this.#watching && this.#running.size > 0) this.#watch();
    return run.given === undefined ? run.answer : run.given.reply;
  }

  #ended(run: DeliveryRun): void {
    this.#running.delete(run.key);
    if (run.given) this.#done.set(run.key, run.given);
    if (this.#running.size > 0) return;
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  #conclude(key: number, reply: CheckedReply | undefined): Answered {
    this.#done.set(key, { reply });
    return reply;
  }

  #repeated(delivery: Delivery, answer: Answered): Answered {
    this.#report('repeated', delivery);
    return answer;
  }

  #pause(delivery: Delivery, key: number, state: 'limit_reached' | 'paused') {
    this.#report('paused', delivery);
    if (state === 'paused') return this.#conclude(key, undefined);
    const message =
      `The bot was to reply more than ${this.#internals.maxRepliesPerMinute} times within a minute in ` +
      'one conversation, and pauses there for five minutes. Does another bot answer it? If this is ' +
      'meant, give createBot a higher `maxRepliesPerMinute`.';
    this.#warn('paused', message);
    return this.#conclude(key, { content: 'I reply too often here, and pause for five minutes.' });
  }

  #report(outcome: 'repeated' | 'paused', { trigger, message }: Delivery): void {
    if (!this.#hooks.onDelivery) return;
    const about = { bot_email: this.#bot.email, message_id: message.id, trigger };
    report(this.#hooks.onDelivery, { outcome, ...about });
  }

  #warn(code: Warning['code'], message: string, error?: unknown): void {
    const about = { code, message, bot_email: this.#bot.email };
    report(this.#hooks.onWarning, error === undefined ? about : { ...about, error });
  }

  /** Looks at what runs for as long as something does: one timer for all deliveries. */
  #watch(): void {
    const { clock, handlerTimeoutMs } = this.#internals;
    this.#watching = true;
    const tickMs = Math.max(1, Math.min(100, this.#deadlineMs / 10, handlerTimeoutMs / 10));
    clock.after(tickMs, () => {
      const now = clock.now();
      for (const run of this.#running.values()) {
        run.showTyping(now);
        if (now - run.arrivedAt >= this.#deadlineMs) this.#overdue(run);
        if (now - (run.startedAt ?? now) >= handlerTimeoutMs) run.expire();
      }
      if (this.#running.size > 0) this.#watch();
      else this.#watching = false;
    });
  }

  #overdue(run: DeliveryRun): void {
    void run.defer();
    if (this.#internals.replySender !== undefined || this.#warned) return;
    this.#warned = true;
    const message =
      `A reply took longer than ${this.#deadlineMs} ms. The server will ask again and be given it ` +
      'then, a few times. Give createBot `api: { url, apiKey }`, and late replies go by REST.';
    this.#warn('api_missing', message);
  }

  /** Pays what an earlier run of the program owes, and knows those deliveries again. */
  async #recover(pending: PendingReplies): Promise<void> {
    try {
      for (const owed of await pending.open()) {
        this.#done.set(keyOf(owed.delivery), { reply: undefined });
        void this.#pay(pending, owed);
      }
    } catch (error) {
      const message = 'The store cannot be read: replies owed from before stay unsaid for now.';
      this.#warn('store_failed', message, error);
    }
  }

  async #pay(pending: PendingReplies, { delivery, reply }: PendingReply): Promise<void> {
    const { replySender, clock } = this.#internals;
    if (replySender === undefined) return;
    if (reply === null) {
      const run = new DeliveryRun(this.#environment, delivery, keyOf(delivery));
      this.#running.set(run.key, run);
      await run.defer();
      this.#order.add(conversationKey(delivery), run, this.#internals.order);
      return;
    }
    const saying = { place: placeOf(delivery), after: delivery.message.id, reply };
    try {
      if (reply.content !== '') await sendOnce(replySender, saying, { clock, maybeSaid: true });
      await pending.settle(delivery);
    } catch (error) {
      this.#warn('store_failed', 'A reply owed from before could not be sent.', error);
    }
  }
}

/** What tells a delivery from others to the bot: the message, or in the Slack form what there is. */
function keyOf({ message }: Delivery): number {
  if (message.id > 0) return message.id;
  const { sender, timestamp, content } = message;
  const place = 'channel' in message ? message.channel.id : 0;
  const digest = hash('sha256', JSON.stringify([sender.id, timestamp, place, content]), 'buffer');
  return -digest.readUIntBE(0, 6);
}

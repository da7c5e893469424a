import { hash } from 'node:crypto';

import { BotError } from '../bot-error.ts';
import type { Delivery } from '../delivery.ts';
import { type Hooks, logWarning, report, type Warning } from '../hooks.ts';
import { type AnyBot, type BotInternals, internals } from '../internals.ts';
import type { CheckedReply } from '../reply.ts';
import { conversationOf } from '../rest/conversation.ts';
import { ConversationOrder } from './conversation-order.ts';
import { conversationKey } from './conversation.ts';
import { DeliveryRun, type RunEnvironment } from './delivery-run.ts';
import { LoopGuard } from './loop-guard.ts';
import { PendingReplies, type PendingReply } from './pending-replies.ts';
import { RecentEntries } from './recent-entries.ts';
import { sendOnce } from './send-once.ts';
import { TransientMap } from './transient-map.ts';

export interface DispatcherOptions {
  readonly hooks: Hooks;
  /** How long an answer may take, in milliseconds; later replies are sent by REST. */
  readonly deadlineMs: number;
}

interface Answered {
  readonly reply: CheckedReply | undefined;
}

/** Answers to repeated deliveries: the newest 5000 of a bot at least, or 4 MB. */
const KEPT_ANSWERS = { size: 5000, weight: 4_000_000 };

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
  readonly #running = new TransientMap<number, DeliveryRun>();
  readonly #answered = new RecentEntries<Answered>(
    KEPT_ANSWERS,
    ({ reply }) => 100 + (reply?.content.length ?? 0),
  );
  readonly #order: ConversationOrder;
  readonly #guard: LoopGuard;
  readonly #environment: RunEnvironment;
  /** Resolves when the replies that an earlier process left are known. */
  readonly #recovered: Promise<void> | undefined;
  #watching = false;
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
    this.#environment = { bot, hooks: this.#hooks, pending };
    this.#recovered = pending && this.#recover(pending);
  }

  /** Resolves with the reply that answers a delivery; undefined is silence. Never rejects. */
  async accept(delivery: Delivery): Promise<CheckedReply | undefined> {
    if (this.#recovered) await this.#recovered;
    const key = keyOf(delivery);
    const running = this.#running.get(key);
    const answered = this.#answered.get(key);
    if (running === undefined && answered === undefined) return this.#handle(delivery, key);
    this.#report('repeated', delivery);
    return running === undefined ? answered?.reply : running.answer;
  }

  /** Resolves when the handler of a delivery has ended. */
  async ended(delivery: Delivery): Promise<void> {
    await this.#running.get(keyOf(delivery))?.ended;
  }

  /** Resolves when no handler runs. */
  async idle(): Promise<void> {
    while (this.#running.size > 0)
      await Promise.all(this.#running.values().map((run) => run.ended));
  }

  /** Aborts the signals of all handlers. */
  abort(): void {
    const reason = new BotError('shutting_down', 'The program ends.');
    for (const run of this.#running.values()) run.abort(reason);
  }

  async #handle(delivery: Delivery, key: number): Promise<CheckedReply | undefined> {
    const conversation = conversationKey(delivery);
    const state = this.#guard.count(conversation, this.#internals.clock.now());
    if (state !== 'allowed') {
      this.#report('paused', delivery);
      return this.#answerAtOnce(key, state === 'paused' ? undefined : this.#pauseReply());
    }
    const run = new DeliveryRun(this.#environment, delivery);
    if (!this.#start(key, run)) {
      const content = 'Too many messages wait here already. Please ask again later.';
      return this.#answerAtOnce(key, { content });
    }
    return run.answer;
  }

  /** False if too many messages of the conversation wait already. */
  #start(key: number, run: DeliveryRun): boolean {
    const { order } = this.#internals;
    this.#running.set(key, run);
    if (!this.#order.add(conversationKey(run.delivery), run, order)) {
      this.#running.delete(key);
      return false;
    }
    void run.ended.then(() => {
      this.#running.delete(key);
      if (run.answered) this.#answered.set(key, run.answered);
    });
    if (!this.#watching) this.#watch();
    return true;
  }

  #answerAtOnce(key: number, reply: CheckedReply | undefined): CheckedReply | undefined {
    this.#answered.set(key, { reply });
    return reply;
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
    const about = { bot_email: this.#bot.email, message_id: message.id, trigger };
    report(this.#hooks.onDelivery, { outcome, ...about });
  }

  #warn(code: Warning['code'], message: string, error?: unknown): void {
    const about = { code, message, bot_email: this.#bot.email };
    report(this.#hooks.onWarning, error === undefined ? about : { ...about, error });
  }

  /** Checks all runs for deadlines while there are any: one timer for all of them. */
  #watch(): void {
    const { clock, handlerTimeoutMs } = this.#internals;
    this.#watching = true;
    const tickMs = Math.max(1, Math.min(100, this.#deadlineMs / 10, handlerTimeoutMs / 10));
    clock.after(tickMs, () => {
      const now = clock.now();
      for (const run of this.#running.values()) {
        run.showTyping(now);
        if (now - run.arrivedAt >= this.#deadlineMs) this.#defer(run);
        if (now - (run.startedAt ?? now) >= handlerTimeoutMs) run.expire();
      }
      if (this.#running.size > 0) this.#watch();
      else this.#watching = false;
    });
  }

  #defer(run: DeliveryRun): void {
    void run.defer();
    if (this.#internals.replySender !== undefined || this.#warned) return;
    this.#warned = true;
    const message =
      `A reply took longer than ${this.#deadlineMs} ms. The server will ask again and be given it ` +
      'then, a few times. Give createBot `api: { url, apiKey }`, and late replies go by REST.';
    this.#warn('api_missing', message);
  }

  /** Sends the replies that an earlier process left, and recognises repeats of their deliveries. */
  async #recover(pending: PendingReplies): Promise<void> {
    try {
      for (const left of await pending.list()) {
        this.#answered.set(keyOf(left.delivery), { reply: undefined });
        void this.#sendPending(pending, left);
      }
    } catch (error) {
      const message =
        'The store cannot be read: pending replies of an earlier run are not sent now.';
      this.#warn('store_failed', message, error);
    }
  }

  async #sendPending(pending: PendingReplies, { delivery, reply }: PendingReply): Promise<void> {
    const { replySender, clock } = this.#internals;
    if (replySender === undefined) return;
    if (reply === null) {
      const run = new DeliveryRun(this.#environment, delivery);
      this.#running.set(keyOf(delivery), run);
      await run.defer();
      this.#start(keyOf(delivery), run);
      return;
    }
    const outgoing = { conversation: conversationOf(delivery), after: delivery.message.id, reply };
    try {
      if (reply.content !== '') await sendOnce(replySender, outgoing, { clock, maybeSent: true });
      await pending.settle(delivery);
    } catch (error) {
      this.#warn('store_failed', 'A pending reply of an earlier run could not be sent.', error);
    }
  }
}

/** Identifies a delivery: the id of its message, or a digest of the Slack form, which has no id. */
function keyOf({ message }: Delivery): number {
  if (message.id > 0) return message.id;
  const { sender, timestamp, content } = message;
  const place = 'channel' in message ? message.channel.id : 0;
  const digest = hash('sha256', JSON.stringify([sender.id, timestamp, place, content]), 'buffer');
  return -digest.readUIntBE(0, 6);
}

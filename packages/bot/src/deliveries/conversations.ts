import type { Delivery } from '../delivery.ts';
import type { Order } from '../message-order.ts';
import { conversationKey } from '../rest/conversation.ts';

/** The work for a delivery. */
export interface ConversationTask {
  readonly delivery: Delivery;
  /** Resolves when the task has ended. Never rejects. */
  readonly run: () => Promise<void>;
  /** A newer message has come: a running task should stop, a later `run` only ends the task. */
  readonly supersede: () => void;
}

/**
 * `added`: the task runs, now or in its turn. The others do not run: `limit_reached` for the first
 * message over the limit, then `paused`; `full` if too many tasks of the conversation wait.
 */
export type Admission = 'added' | 'limit_reached' | 'paused' | 'full';

/** The state of one conversation. */
interface Conversation {
  /** Messages in the current minute. */
  messages: number;
  /** Milliseconds since 1970; 0 if the bot does not pause. */
  pausedUntil: number;
  running: ConversationTask | undefined;
  readonly waiting: ConversationTask[];
}

interface ConversationLimits {
  readonly order: Order;
  /** The largest number of tasks that wait in one conversation. */
  readonly maxWaiting: number;
  readonly maxRepliesPerMinute: number;
}

const MINUTE = 60_000;
const PAUSE = 5 * MINUTE;

/**
 * The conversations of a bot. Runs one task of a conversation at a time, in the order in which they
 * were added. Stops a loop of replies, as between two bots that answer each other: after
 * `maxRepliesPerMinute` messages within a minute the bot pauses in that conversation for five minutes.
 */
export class Conversations {
  readonly #limits: ConversationLimits;
  #minute = 0;
  #byKey = new Map<string, Conversation>();

  constructor(limits: ConversationLimits) {
    this.#limits = limits;
  }

  /** Counts the message of a task, and adds the task. `now` is in milliseconds. */
  admit(task: ConversationTask, now: number): Admission {
    const conversation = this.#of(task.delivery, now);
    // Changes are not counted: only people cause them, so they make no loop.
    if (isMessage(task)) {
      if (conversation.pausedUntil > 0) return 'paused';
      if (++conversation.messages > this.#limits.maxRepliesPerMinute) {
        conversation.pausedUntil = now + PAUSE;
        return 'limit_reached';
      }
    }
    const { running, waiting } = conversation;
    const isFull = running !== undefined && waiting.length >= this.#limits.maxWaiting;
    if (isFull && this.#limits.order === 'queue') return 'full';
    this.#queue(task, conversation);
    return 'added';
  }

  /** Adds a task that an earlier process has left. It waits for its turn, and replaces no other. */
  add(task: ConversationTask, now: number): void {
    const conversation = this.#of(task.delivery, now);
    if (this.#limits.order === 'parallel') void task.run();
    else if (conversation.running === undefined) void this.#runFrom(task, conversation);
    else conversation.waiting.push(task);
  }

  /** Runs a task, now or in its turn. */
  #queue(task: ConversationTask, conversation: Conversation): void {
    const { order } = this.#limits;
    const { running, waiting } = conversation;
    // With `latest`, only messages replace others and are replaced.
    if (order === 'parallel' || (order === 'latest' && !isMessage(task))) {
      void task.run();
      return;
    }
    if (running === undefined) {
      void this.#runFrom(task, conversation);
      return;
    }
    if (order === 'latest') {
      running.supersede();
      for (const superseded of waiting.splice(0)) {
        superseded.supersede();
        void superseded.run();
      }
    }
    waiting.push(task);
  }

  /** Runs a task, and after it those that wait. */
  async #runFrom(first: ConversationTask, conversation: Conversation): Promise<void> {
    let task: ConversationTask | undefined = first;
    while (task !== undefined) {
      conversation.running = task;
      await task.run();
      task = conversation.waiting.shift();
    }
    conversation.running = undefined;
  }

  #of(delivery: Delivery, now: number): Conversation {
    if (now - this.#minute >= MINUTE) this.#turn(now);
    const key = conversationKey(delivery);
    let found = this.#byKey.get(key);
    if (found === undefined) {
      found = { messages: 0, pausedUntil: 0, running: undefined, waiting: [] };
      this.#byKey.set(key, found);
    }
    return found;
  }

  /** Begins a minute, and forgets conversations in which nothing happens. */
  #turn(now: number): void {
    this.#minute = now;
    const busy = new Map<string, Conversation>();
    for (const [key, conversation] of this.#byKey) {
      conversation.messages = 0;
      if (conversation.pausedUntil <= now) conversation.pausedUntil = 0;
      if (conversation.pausedUntil > 0 || conversation.running !== undefined)
        busy.set(key, conversation);
    }
    this.#byKey = busy;
  }
}

const isMessage = ({ delivery }: ConversationTask) => delivery.change === undefined;

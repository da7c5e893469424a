/**
 * How messages of one conversation that arrive during a running handler are treated. `queue`: they
 * wait. `latest`: the signal of the running handler is aborted, its reply is dropped, and waiting
 * messages are dropped. `parallel`: the handlers run at the same time.
 */
export type Order = 'queue' | 'latest' | 'parallel';

/** Work in a conversation. Its owner calls `ended` of Conversations when it has ended. */
export interface ConversationTask {
  readonly run: () => unknown;
  /** A newer message has come: a running task should stop, a later `run` only ends the task. */
  readonly supersede: () => void;
  /** Whether it is a message: with `latest`, only messages replace others and are replaced. */
  readonly isMessage: boolean;
}

/** `limit_reached`: the first message over the limit, answered with a notice of the pause; then `paused`. */
export type LoopState = 'allowed' | 'limit_reached' | 'paused';

/** The state of one conversation. */
export interface Conversation {
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

  /** The conversation with this key. `now` is in milliseconds. */
  of(key: string, now: number): Conversation {
    if (now - this.#minute >= MINUTE) this.#turn(now);
    let found = this.#byKey.get(key);
    if (found === undefined) {
      found = { messages: 0, pausedUntil: 0, running: undefined, waiting: [] };
      this.#byKey.set(key, found);
    }
    return found;
  }

  /** Counts a message of a conversation. */
  count(conversation: Conversation, now: number): LoopState {
    if (conversation.pausedUntil > 0) return 'paused';
    if (++conversation.messages <= this.#limits.maxRepliesPerMinute) return 'allowed';
    conversation.pausedUntil = now + PAUSE;
    return 'limit_reached';
  }

  /** Runs a task, now or in its turn. False if too many tasks of the conversation wait already. */
  add(conversation: Conversation, task: ConversationTask): boolean {
    const { order, maxWaiting } = this.#limits;
    const { running, waiting } = conversation;
    if (order === 'parallel' || (order === 'latest' && !task.isMessage)) {
      task.run();
      return true;
    }
    if (running === undefined) {
      conversation.running = task;
      task.run();
      return true;
    }
    if (order === 'latest') {
      running.supersede();
      for (const superseded of waiting.splice(0)) {
        superseded.supersede();
        superseded.run();
      }
    } else if (waiting.length >= maxWaiting) return false;
    waiting.push(task);
    return true;
  }

  /** A task has ended: runs the next one of its conversation. */
  ended(conversation: Conversation, task: ConversationTask): void {
    if (conversation.running !== task) return;
    const next = conversation.waiting.shift();
    conversation.running = next;
    next?.run();
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

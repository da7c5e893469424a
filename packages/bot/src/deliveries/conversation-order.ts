import { TransientMap } from './transient-map.ts';

/**
 * What happens to a message while an earlier one of its conversation is being handled. `queue`: it
 * waits. `latest`: the earlier handler is told to stop, its reply is dropped, and the messages that
 * wait are dropped. `parallel`: both handlers run.
 */
export type Order = 'queue' | 'latest' | 'parallel';

export interface ConversationTask {
  /** Never rejects. */
  run(): Promise<void>;
  /** A newer message has come: a running task should stop, a waiting one is not run. */
  supersede(): void;
}

interface ConversationQueue {
  running: ConversationTask;
  readonly waiting: ConversationTask[];
}

/** Runs one task of a conversation at a time, in the order in which they were added. */
export class ConversationOrder {
  readonly #queues = new TransientMap<string, ConversationQueue>();
  readonly #maxWaiting: number;

  constructor(maxWaiting: number) {
    this.#maxWaiting = maxWaiting;
  }

  /** False if `maxWaiting` tasks of the conversation wait already. */
  add(conversation: string, task: ConversationTask, order: Order): boolean {
    if (order === 'parallel') {
      void task.run();
      return true;
    }
    const queue = this.#queues.get(conversation);
    if (queue === undefined) {
      void this.#work(conversation, task);
      return true;
    }
    if (order === 'latest') {
      queue.running.supersede();
      for (const waiting of queue.waiting.splice(0)) waiting.supersede();
    } else if (queue.waiting.length >= this.#maxWaiting) return false;
    queue.waiting.push(task);
    return true;
  }

  async #work(conversation: string, first: ConversationTask): Promise<void> {
    const queue: ConversationQueue = { running: first, waiting: [] };
    this.#queues.set(conversation, queue);
    for (
      let task: ConversationTask | undefined = first;
      task !== undefined;
      task = queue.waiting.shift()
    ) {
      queue.running = task;
      await task.run();
    }
    this.#queues.delete(conversation);
  }
}

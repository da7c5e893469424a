import type { Conversation } from '../rest/conversation.ts';
import type { Rest } from '../rest/rest.ts';

const AFTER_MS = 1000;
const EVERY_MS = 10_000;

interface TypingTarget {
  readonly rest: Pick<Rest, 'typing'>;
  readonly conversation: Conversation;
}

/** Sends typing notices while a handler runs: after one second, and again every ten. */
export class TypingNotice {
  readonly #target: TypingTarget;
  /** The age of the run at the last notice, in milliseconds. */
  #shownAt: number | undefined;

  constructor(target: TypingTarget) {
    this.#target = target;
  }

  /** Sends a notice if one is due; `ageMs` is the age of the run. */
  show(ageMs: number): void {
    const due = this.#shownAt === undefined ? AFTER_MS : this.#shownAt + EVERY_MS;
    if (ageMs < due) return;
    this.#shownAt = ageMs;
    this.#send('start');
  }

  stop(): void {
    if (this.#shownAt !== undefined) this.#send('stop');
  }

  /** Does not wait and ignores failures: a late notice is useless. */
  #send(op: 'start' | 'stop'): void {
    const { rest, conversation } = this.#target;
    void rest.typing(conversation, op, { retryPolicy: false }).catch(() => {});
  }
}

import type { Conversation } from '../rest/conversation.ts';
import type { Rest } from '../rest/rest.ts';

const AFTER_MS = 1000;
const EVERY_MS = 10_000;

interface Where {
  readonly rest: Pick<Rest, 'typing'>;
  readonly conversation: Conversation;
}

/** Tells people that a bot is at work: after a second, and again every ten. */
export class TypingNotice {
  readonly #where: Where;
  /** How old the work was when it was told of last. */
  #shownAt: number | undefined;

  constructor(where: Where) {
    this.#where = where;
  }

  /** Told now and then how old the work is, in milliseconds. */
  show(ageMs: number): void {
    const due = this.#shownAt === undefined ? AFTER_MS : this.#shownAt + EVERY_MS;
    if (ageMs < due) return;
    this.#shownAt = ageMs;
    this.#tell('start');
  }

  stop(): void {
    if (this.#shownAt !== undefined) this.#tell('stop');
  }

  /** A notice that fails, or comes late, is worth nothing: nobody waits for it. */
  #tell(op: 'start' | 'stop'): void {
    const { rest, conversation } = this.#where;
    void rest.typing(conversation, op, { patience: false }).catch(() => {});
  }
}

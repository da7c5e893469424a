const MINUTE = 60_000;
const PAUSE = 5 * MINUTE;

/** `tired`: this reply is the one that says so; `paused`: nothing is said. */
export type LoopState = 'allowed' | 'limit_reached' | 'paused';

/**
 * Ends conversations in which a bot replies without end, as two bots do that answer each other:
 * after so many replies within a minute it pauses for five. Other conversations go on.
 */
export class LoopGuard {
  readonly #perMinute: number;
  #minute = 0;
  #replies = new Map<string, { number: number }>();
  readonly #pausedUntil = new Map<string, number>();

  constructor(perMinute: number) {
    this.#perMinute = perMinute;
  }

  /** Asked for each message that would be replied to. */
  count(key: string, now: number): LoopState {
    if (now - this.#minute >= MINUTE) this.#turn(now);
    if (this.#pausedUntil.size > 0 && this.#pausedUntil.has(key)) return 'paused';
    let replies = this.#replies.get(key);
    if (replies === undefined) this.#replies.set(key, (replies = { number: 0 }));
    if (++replies.number <= this.#perMinute) return 'allowed';
    this.#pausedUntil.set(key, now + PAUSE);
    return 'limit_reached';
  }

  #turn(now: number): void {
    this.#minute = now;
    this.#replies = new Map();
    for (const [key, until] of this.#pausedUntil) if (until <= now) this.#pausedUntil.delete(key);
  }
}

const MINUTE = 60_000;
const PAUSE = 5 * MINUTE;

/** `limit_reached`: the first message over the limit, which the bot is told of; then `paused`. */
export type LoopState = 'allowed' | 'limit_reached' | 'paused';

/**
 * Stops a loop of replies, as between two bots that answer each other: after `perMinute` replies in
 * one conversation within a minute the bot pauses there for five minutes.
 */
export class LoopGuard {
  readonly #perMinute: number;
  #minute = 0;
  #replies = new Map<string, { number: number }>();
  readonly #pausedUntil = new Map<string, number>();

  constructor(perMinute: number) {
    this.#perMinute = perMinute;
  }

  /** Counts a message of a conversation. `now` is in milliseconds. */
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

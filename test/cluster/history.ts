export const starOf = (id: number) => `star of message ${id}`;
export const reactionTo = (id: number) => `reaction to message ${id}`;

/** What the clients of a run were told, and what they saw. */
export class History {
  /** By key of a message: its id, once its sender had a success. */
  readonly acknowledged = new Map<string, number>();
  /** When the sender of a message, or who starred or reacted to it, had a success: by how `check` names it. */
  readonly times = new Map<string, number>();
  /** By key of a message to one person: their name, sent with success or not. */
  readonly direct = new Map<string, string>();
  /** By id of a message: the ciphertexts of it that a phone got. */
  readonly shown = new Map<number, Set<string>>();
  /** Messages to the private channel, by key, sent with success or not. */
  readonly closed = new Set<string>();
  /** The ids of acknowledged messages that mention the bot. */
  readonly mentions = new Set<number>();
  /** By id of a message, who starred it with success. */
  readonly stars = new Map<number, string>();
  /** By id of a message, who reacted to it with success. */
  readonly reactions = new Map<number, string>();
  /** By id of a message, how many deliveries of it the endpoint of the bot got. */
  readonly deliveries = new Map<number, number>();
  /** By reader: the keys of messages in the order of its events. */
  readonly seen = new Map<string, string[]>();
  /** Success or documented refusal. */
  readonly errors = new Map<string, number>();
  /** The longest times without a success: when they ended, in milliseconds since the beginning. */
  readonly gaps: { readonly endedAt: number; readonly ms: number }[] = [];
  #begun = performance.now();
  #last = this.#begun;

  success(): void {
    const now = performance.now();
    const ms = now - this.#last;
    this.#last = now;
    if (ms > 1000) this.gaps.push({ endedAt: now - this.#begun, ms });
  }

  failure(error: unknown): void {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    this.errors.set(code, (this.errors.get(code) ?? 0) + 1);
  }

  /** Milliseconds since the beginning. */
  now(): number {
    return performance.now() - this.#begun;
  }
}

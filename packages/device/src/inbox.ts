import type { PushPayload } from '@bellhop/protocol';

export type MessagePush = Extract<PushPayload, { type: 'message' }>;
type PushFilter = (payload: PushPayload) => boolean;

/** The notifications of a phone, oldest first. */
export class Inbox {
  readonly #received: PushPayload[] = [];
  readonly #listeners = new Set<(payload: PushPayload) => void>();

  /** All notifications that arrived. */
  get received(): readonly PushPayload[] {
    return this.#received;
  }

  /** The messages that a phone still shows: arrived and not removed since. */
  get shown(): MessagePush[] {
    const shown = new Map<number, MessagePush>();
    for (const payload of this.#received)
      if (payload.type === 'message') shown.set(payload.message_id, payload);
      else if (payload.type === 'remove') for (const id of payload.message_ids) shown.delete(id);
    return [...shown.values()];
  }

  add(payload: PushPayload): void {
    this.#received.push(payload);
    for (const listener of this.#listeners) listener(payload);
  }

  /** Calls `listener` with each notification from now on. Returns a function that ends it. */
  listen(listener: (payload: PushPayload) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** The first notification that matches, past or future. Rejects after `timeoutMs`. */
  async waitFor(matches: PushFilter, timeoutMs: number): Promise<PushPayload> {
    const arrived = this.#received.find(matches);
    if (arrived) return arrived;
    const { promise, resolve, reject } = Promise.withResolvers<PushPayload>();
    const stop = this.listen((payload) => {
      if (matches(payload)) resolve(payload);
    });
    const deadline = setTimeout(
      () => reject(new Error(`No such notification arrived within ${timeoutMs} ms`)),
      timeoutMs,
    );
    try {
      return await promise;
    } finally {
      clearTimeout(deadline);
      stop();
    }
  }
}

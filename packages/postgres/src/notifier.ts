const quietMs = 20;

interface NotifierOptions {
  send: (channels: string[], payloads: string[]) => Promise<unknown>;
  onError: (error: unknown) => void;
}

/**
 * Sends notifications: the first at once, those of the next 20 ms in one statement, equal ones once.
 * A failure is only reported, since listeners must also poll.
 */
export class Notifier {
  readonly #options: NotifierOptions;
  #pending = new Map<string, [channel: string, payload: string]>();
  #sending: Promise<void> | undefined;

  constructor(options: NotifierOptions) {
    this.#options = options;
  }

  notify(channel: string, payload: string): void {
    this.#pending.set(JSON.stringify([channel, payload]), [channel, payload]);
    this.#sending ??= this.#sendAll();
  }

  /** Resolves when all notifications so far are sent. */
  async flush(): Promise<void> {
    await this.#sending;
  }

  async #sendAll(): Promise<void> {
    while (this.#pending.size > 0) {
      const batch = [...this.#pending.values()];
      this.#pending = new Map();
      const [channels, payloads] = [batch.map(([name]) => name), batch.map(([, text]) => text)];
      await this.#options.send(channels, payloads).catch(this.#options.onError);
      await new Promise((resolve) => setTimeout(resolve, quietMs));
    }
    this.#sending = undefined;
  }
}

import { setTimeout as sleep } from 'node:timers/promises';

import { Batcher, fulfilled } from './batcher.ts';

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
  readonly #waiting = new Set<string>();
  readonly #batcher: Batcher<[channel: string, payload: string], undefined>;
  #last: Promise<undefined> | undefined;

  constructor({ send, onError }: NotifierOptions) {
    this.#batcher = new Batcher(
      async (batch) => {
        this.#waiting.clear();
        const [channels, payloads] = [batch.map(([name]) => name), batch.map(([, text]) => text)];
        await send(channels, payloads).catch(onError);
        await sleep(quietMs);
        return fulfilled(batch.map(() => undefined));
      },
      { size: Infinity, startsAtOnce: true },
    );
  }

  notify(channel: string, payload: string): void {
    const key = JSON.stringify([channel, payload]);
    if (this.#waiting.has(key)) return;
    this.#waiting.add(key);
    this.#last = this.#batcher.add([channel, payload]);
  }

  /** Resolves when all notifications so far are sent. */
  async flush(): Promise<void> {
    await this.#last;
  }
}

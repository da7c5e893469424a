import type { Attempt, BotProcess } from './bot-process.ts';
import type { Payload } from './dev-wire.ts';

interface Running {
  /** The signal ends an attempt that is not wanted any more. */
  readonly start: (signal: AbortSignal) => Promise<Attempt>;
  readonly onLoaded: () => void;
  /** A module that cannot be loaded; `goesOn` when the one before it still answers. */
  readonly onTrouble: (trouble: string, goesOn: boolean) => void;
  /** Told what to watch after each attempt. */
  readonly onFiles: (files: readonly string[]) => void;
}

/** Keeps one bot running: the newest that could be loaded. What comes meanwhile waits for it. */
export class BotRunner {
  readonly #running: Running;
  #bot: BotProcess | undefined;
  #loading: Promise<void> | undefined;
  #attempt = new AbortController();
  #again = false;
  #stopped = false;
  readonly #leaving = new Set<Promise<void>>();
  #next = Promise.withResolvers<BotProcess | undefined>();

  constructor(running: Running) {
    this.#running = running;
  }

  /** Loads the bot afresh; a load that is under way is given up for it. */
  load(): Promise<void> {
    this.#again = this.#loading !== undefined;
    this.#attempt.abort();
    return (this.#loading ??= this.#load().finally(() => (this.#loading = undefined)));
  }

  /** Hands a message to the bot, which is waited for if there is none. */
  async deliver(payload: Payload, again: boolean): Promise<void> {
    await this.#loading;
    const bot = this.#bot ?? (await this.#next.promise);
    await bot?.deliver(payload, again);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#next.resolve(undefined);
    this.#attempt.abort();
    await this.#loading;
    await Promise.all([this.#bot?.stop(), ...this.#leaving]);
  }

  async #load(): Promise<void> {
    do {
      this.#again = false;
      this.#attempt = new AbortController();
      const { signal } = this.#attempt;
      const attempt = await this.#running.start(signal);
      this.#attempt = new AbortController();
      this.#running.onFiles(attempt.files);
      if ('bot' in attempt) this.#take(attempt.bot);
      else if (!signal.aborted) this.#running.onTrouble(attempt.trouble, this.#bot !== undefined);
    } while (this.#again && !this.#stopped);
  }

  #take(bot: BotProcess): void {
    const before = this.#bot;
    if (before) {
      const leaving: Promise<void> = before.stop().finally(() => this.#leaving.delete(leaving));
      this.#leaving.add(leaving);
    }
    this.#bot = bot;
    this.#running.onLoaded();
    this.#next.resolve(bot);
    void bot.ended.then((code) => {
      if (this.#bot !== bot) return;
      this.#bot = undefined;
      this.#next = Promise.withResolvers();
      if (this.#stopped) this.#next.resolve(undefined);
      else this.#running.onTrouble(`The bot's process ended with code ${code}.`, false);
    });
  }
}

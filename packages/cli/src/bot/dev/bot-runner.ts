import type { StartResult, BotProcess } from './bot-process.ts';
import type { Payload } from './dev-wire.ts';

interface BotRunnerOptions {
  /** Starts a process. The signal aborts the start. */
  readonly start: (signal: AbortSignal) => Promise<StartResult>;
  readonly onLoaded: () => void;
  /** Called if the module cannot be loaded or its process ends; `goesOn` if the version before still answers. */
  readonly onTrouble: (trouble: string, goesOn: boolean) => void;
  /** Called after each start with the files to watch. */
  readonly onFiles: (files: readonly string[]) => void;
}

/** Runs the newest version of a bot that could be loaded. Messages wait while there is none. */
export class BotRunner {
  readonly #options: BotRunnerOptions;
  #bot: BotProcess | undefined;
  #loading: Promise<void> | undefined;
  #start = new AbortController();
  #again = false;
  #stopped = false;
  readonly #leaving = new Set<Promise<void>>();
  #next = Promise.withResolvers<BotProcess | undefined>();

  constructor(options: BotRunnerOptions) {
    this.#options = options;
  }

  /** Loads the bot again; aborts a load that is under way. */
  load(): Promise<void> {
    this.#again = this.#loading !== undefined;
    this.#start.abort();
    return (this.#loading ??= this.#load().finally(() => (this.#loading = undefined)));
  }

  /** Delivers a message to the bot; waits for one if none runs. */
  async deliver(payload: Payload, again: boolean): Promise<void> {
    await this.#loading;
    const bot = this.#bot ?? (await this.#next.promise);
    await bot?.deliver(payload, again);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#next.resolve(undefined);
    this.#start.abort();
    await this.#loading;
    await Promise.all([this.#bot?.stop(), ...this.#leaving]);
  }

  async #load(): Promise<void> {
    do {
      this.#again = false;
      this.#start = new AbortController();
      const { signal } = this.#start;
      const result = await this.#options.start(signal);
      this.#start = new AbortController();
      this.#options.onFiles(result.files);
      if ('bot' in result) this.#take(result.bot);
      else if (!signal.aborted) this.#options.onTrouble(result.trouble, this.#bot !== undefined);
    } while (this.#again && !this.#stopped);
  }

  #take(bot: BotProcess): void {
    const previous = this.#bot;
    if (previous) {
      const leaving: Promise<void> = previous.stop().finally(() => this.#leaving.delete(leaving));
      this.#leaving.add(leaving);
    }
    this.#bot = bot;
    this.#options.onLoaded();
    this.#next.resolve(bot);
    void bot.ended.then((code) => {
      if (this.#bot !== bot) return;
      this.#bot = undefined;
      this.#next = Promise.withResolvers();
      if (this.#stopped) this.#next.resolve(undefined);
      else this.#options.onTrouble(`The bot's process ended with code ${code}.`, false);
    });
  }
}

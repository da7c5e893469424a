/**
 * Runs the reloads of a service one at a time, from its start on. Requests during a reload, or before the
 * start, cause one more.
 */
export class Reloader {
  readonly #reload: () => Promise<void>;
  #isRequested = false;
  #running: Promise<void> | undefined;
  #isStarted = false;

  /** `reload` must not reject. */
  constructor(reload: () => Promise<void>) {
    this.#reload = reload;
  }

  request(): void {
    this.#isRequested = true;
    if (this.#isStarted) this.#running ??= this.#run();
  }

  start(): void {
    this.#isStarted = true;
    if (this.#isRequested) this.request();
  }

  /** Begins no further reload. Resolves when the current one has ended. */
  async stop(): Promise<void> {
    this.#isStarted = false;
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#isRequested && this.#isStarted) {
      this.#isRequested = false;
      await this.#reload();
    }
    this.#running = undefined;
  }
}

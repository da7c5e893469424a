/** Runs a limited number of works at a time; the others wait in order, for as long as it takes. */
export class ConcurrencyLimit {
  readonly #max: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(max: number) {
    this.#max = max;
  }

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#running < this.#max) this.#running += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      // The next waiting task takes the place of a finished one.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }
}

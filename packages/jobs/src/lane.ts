import { type ClaimedJob, type Cursor, claim } from './claim.ts';
import type { Job } from './job.ts';
import { runAttempt } from './run-attempt.ts';
import type { Worker } from './worker.ts';

interface LaneOptions<Context> {
  worker: Worker<Context>;
  name: string;
  jobs: Job<unknown, Context>[];
  slots: number;
}

/** The slots of one lane on this node: claims due jobs whenever slots are free and something may be due. */
export class Lane<Context> {
  readonly #options: LaneOptions<Context>;
  readonly #attempts = new Set<Promise<void>>();
  #cursor: Cursor | undefined;
  #filling: Promise<void> | undefined;
  #isAgain = false;

  constructor(options: LaneOptions<Context>) {
    this.#options = options;
  }

  /** Something may be due. */
  wake(): void {
    this.#isAgain = true;
    this.#filling ??= this.#fill().finally(() => {
      this.#filling = undefined;
      if (this.#isAgain && this.#mayClaim()) this.wake();
    });
  }

  /** Waits until nothing is being claimed or running. */
  async settled(): Promise<void> {
    await this.#filling;
    await Promise.all(this.#attempts);
  }

  #mayClaim(): boolean {
    return !this.#options.worker.isStopping && this.#attempts.size < this.#options.slots;
  }

  async #fill(): Promise<void> {
    try {
      while (this.#isAgain && this.#mayClaim()) {
        this.#isAgain = false;
        await this.#claimRound();
      }
    } catch (error) {
      this.#isAgain = false;
      this.#options.worker.log(`Could not claim jobs of lane ${this.#options.name}`, error);
    }
  }

  /** Looks at every pair of name and key once, going on where the round before was full. */
  async #claimRound(): Promise<void> {
    const { worker, name, jobs, slots } = this.#options;
    let ends = this.#cursor ? 2 : 1;
    while (ends > 0 && this.#mayClaim()) {
      const claimed = await claim(worker.database, {
        lane: name,
        jobs,
        slots: slots - this.#attempts.size,
        leaseMs: worker.leaseMs,
        now: worker.now(),
        cursor: this.#cursor,
      });
      this.#cursor = claimed.next;
      if (!claimed.next) ends -= 1;
      for (const job of claimed.jobs) this.#start(job);
    }
  }

  #start(claimed: ClaimedJob): void {
    const attempt = runAttempt(this.#options.worker, claimed).finally(() => {
      this.#attempts.delete(attempt);
      this.wake();
    });
    this.#attempts.add(attempt);
  }
}

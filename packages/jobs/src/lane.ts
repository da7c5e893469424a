import { claimByKey, type Cursor } from './claim-by-key.ts';
import { claimDue } from './claim-due.ts';
import type { ClaimedJob, ClaimOptions } from './claim.ts';
import type { Job } from './job.ts';
import { runAttempt } from './run-attempt.ts';
import type { Worker } from './worker.ts';

interface LaneOptions<Context> {
  worker: Worker<Context>;
  name: string;
  jobs: Job<unknown, Context>[];
  slots: number;
}

/** The slots of one lane on this node. Claims due jobs while slots are free. */
export class Lane<Context> {
  readonly #options: LaneOptions<Context>;
  readonly #sharesSlots: boolean;
  readonly #attempts = new Map<Promise<void>, ClaimedJob>();
  #cursor: Cursor | undefined;
  #filling: Promise<void> | undefined;
  #isAgain = false;

  constructor(options: LaneOptions<Context>) {
    this.#options = options;
    this.#sharesSlots = options.jobs.some((job) => job.sharesSlots);
  }

  /** Looks for due jobs. Called when some may be due. */
  wake(): void {
    this.#isAgain = true;
    this.#filling ??= this.#fill().finally(() => {
      this.#filling = undefined;
      if (this.#isAgain && this.#mayClaim()) this.wake();
    });
  }

  /** Resolves when no claim and no attempt is running. */
  async settled(): Promise<void> {
    await this.#filling;
    await Promise.all(this.#attempts.keys());
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
      this.#options.worker.log(`Claiming jobs of lane ${this.#options.name} failed`, error);
    }
  }

  async #claimRound(): Promise<void> {
    // The head of the queue may have jobs of one key only.
    if (this.#sharesSlots) return await this.#claimByKey();
    const { jobs, isWhole } = await claimDue(this.#options.worker.database, this.#claimOptions());
    for (const job of jobs) this.#start(job);
    if (!isWhole && this.#mayClaim()) await this.#claimByKey();
  }

  /** Walks every pair of name and key once, from where the slots were full the last time. */
  async #claimByKey(): Promise<void> {
    let ends = this.#cursor ? 2 : 1;
    while (ends > 0 && this.#mayClaim()) {
      const { database } = this.#options.worker;
      const claimed = await claimByKey(database, this.#claimOptions(), this.#cursor);
      this.#cursor = claimed.next;
      if (!claimed.next) ends -= 1;
      for (const job of claimed.jobs) this.#start(job);
    }
  }

  #claimOptions(): ClaimOptions<Context> {
    const { worker, name, jobs, slots } = this.#options;
    const { leaseMs, now } = worker;
    return {
      lane: name,
      jobs,
      slots: slots - this.#attempts.size,
      running: [...this.#attempts.values()],
      mostPerKey: Math.ceil((slots * 3) / 4),
      leaseMs,
      now: now(),
    };
  }

  #start(claimed: ClaimedJob): void {
    const attempt = runAttempt(this.#options.worker, claimed).finally(() => {
      this.#attempts.delete(attempt);
      this.wake();
    });
    this.#attempts.set(attempt, claimed);
  }
}

import { soon } from '@bellhop/http';
import type { JobStatistics } from '@bellhop/jobs';
import { Counter, Gauge, type Registry } from 'prom-client';

interface JobSource {
  /** The names of all jobs. */
  readonly names: readonly string[];
  readonly statistics: () => Promise<JobStatistics>;
}

/** Adds the metrics of the job queue. One query serves a scrape; without the database they are missing. */
export function measureJobs(registry: Registry, { names, statistics }: JobSource): void {
  const registers = [registry];
  let reading: Promise<JobStatistics> | undefined;
  const read = () => soon((reading ??= statistics().finally(() => (reading = undefined))));
  new Gauge({
    name: 'bellhop_jobs',
    help: 'Jobs in the queue by name and state, of all nodes',
    labelNames: ['name', 'state'],
    registers,
    async collect() {
      const found = await read();
      this.reset();
      if (!found) return;
      for (const name of names) {
        const job = found.jobs.find((one) => one.name === name);
        for (const state of ['queued', 'running', 'dead'] as const)
          this.set({ name, state }, job?.[state] ?? 0);
      }
    },
  });
  new Gauge({
    name: 'bellhop_jobs_lag_seconds',
    help: 'How long the oldest job that is due has been due: high if the nodes are too slow',
    registers,
    async collect() {
      const found = await read();
      this.reset();
      if (found) this.set(found.dueAgeSeconds);
    },
  });
  new Counter({
    name: 'bellhop_job_attempts_total',
    help: 'Attempts of jobs that ended on this node, by outcome',
    labelNames: ['outcome'],
    registers,
    async collect() {
      const found = await read();
      this.reset();
      for (const [outcome, count] of Object.entries(found?.attempts ?? {}))
        this.inc({ outcome }, count);
    },
  });
}

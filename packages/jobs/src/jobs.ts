export { job, type Attempt, type Job, type JobOptions } from './job.ts';
export { dead, done, type Outcome, retry } from './outcome.ts';
export { enqueue, enqueueAll, type EnqueueOptions } from './enqueue.ts';
export { jobsMigrations } from './jobs-migrations.ts';

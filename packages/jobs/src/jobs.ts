export { job, type Attempt, type DeadJob, type Job, type JobOptions } from './job.ts';
export { dead, done, type AttemptResult, retry } from './attempt-result.ts';
export { enqueue, enqueueAll, type EnqueueOptions } from './enqueue.ts';
export { startJobs, type RunningJobs, type StartJobsOptions } from './start-jobs.ts';
export { replay } from './replay.ts';
export { runNow } from './run-now.ts';
export { jobsMigrations } from './jobs-migrations.ts';
export { attemptsOf, type AttemptRecord } from './attempts-of.ts';
export { type JobStatistics } from './statistics.ts';

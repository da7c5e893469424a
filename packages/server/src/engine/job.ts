import { type Job, job as defineJob, type JobOptions } from '@bellhop/jobs';

import type { JobApp } from './app.ts';
import type { Tables } from './tables.ts';

/** A job of this server: it gets the app, and its result may write to the database. */
export type ServerJob<Payload> = Job<Payload, JobApp, Tables>;

/** Defines a kind of background work of this server. */
export const job = <Payload>(options: JobOptions<Payload, JobApp, Tables>): ServerJob<Payload> =>
  defineJob(options);

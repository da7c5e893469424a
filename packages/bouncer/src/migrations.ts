import { jobsMigrations } from '@bellhop/jobs';
import type { Migrations } from '@bellhop/postgres';

/** The bouncer's tables. Apply them before `createBouncer`. */
export const migrations: Migrations[] = [
  jobsMigrations,
  { package: 'bouncer', directory: new URL('../migrations/', import.meta.url) },
];

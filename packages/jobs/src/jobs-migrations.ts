import type { Migrations } from '@bellhop/postgres';

/** The tables of the queue, for migrate(). */
export const jobsMigrations: Migrations = {
  package: 'jobs',
  directory: new URL('../migrations/', import.meta.url),
};

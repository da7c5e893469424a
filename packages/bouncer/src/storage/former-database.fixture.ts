import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { jobsMigrations } from '@bellhop/jobs';
import { createTestDatabase } from '@bellhop/postgres/testing';

import type { BouncerTables } from './tables.ts';

const directory = fileURLToPath(new URL('../../migrations/', import.meta.url));

/** A database of the version before a migration, by its number (`0010`). */
export async function formerDatabase(migration: string) {
  const former = await mkdtemp(join(tmpdir(), 'bouncer-migrations-'));
  const isFormer = (path: string) => !/^\d/.test(basename(path)) || basename(path) < migration;
  await cp(directory, former, { recursive: true, filter: isFormer });
  const made = await createTestDatabase<BouncerTables>({
    migrations: [jobsMigrations, { package: 'bouncer', directory: pathToFileURL(`${former}/`) }],
  });
  await rm(former, { recursive: true });
  return made;
}

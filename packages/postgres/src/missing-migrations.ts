import { CompiledQuery } from 'kysely';

import { errorCode } from './error-code.ts';
import { checkRecorded, readRecorded, type RecordedMigration, requireOwn } from './migrate.ts';
import { type Migrations, readPackageFiles } from './migration-files.ts';
import type { Database } from './open-database.ts';

const UNDEFINED_TABLE = '42P01';

/**
 * The names of the migrations that the database lacks, and of functions that have changed. Changes
 * nothing. Throws as `migrate`.
 */
export async function missingMigrations<Tables>(
  { kysely }: Database<Tables>,
  ...sets: Migrations[]
): Promise<string[]> {
  const recorded = await kysely
    .executeQuery<RecordedMigration>(CompiledQuery.raw(readRecorded))
    .then(({ rows }) => rows)
    .catch((error: unknown) => {
      if (errorCode(error) === UNDEFINED_TABLE) return [];
      throw error;
    });
  requireOwn(sets, recorded);
  const missing = await Promise.all(
    sets.map(async (set) => {
      const { files, functions } = await readPackageFiles(set);
      const own = recorded.filter((row) => row.package === set.package);
      const lacking = files.slice(checkRecorded(set.package, files, own));
      if (functions && own.every(({ checksum }) => checksum !== functions.checksum))
        lacking.push(functions);
      return lacking.map(({ name }) => `${set.package}/${name}`);
    }),
  );
  return missing.flat();
}

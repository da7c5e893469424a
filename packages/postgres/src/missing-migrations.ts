import { CompiledQuery } from 'kysely';

import { errorCode } from './error-code.ts';
import { type Migrations, readMigrationFiles } from './migration-files.ts';
import type { Database } from './open-database.ts';

const UNDEFINED_TABLE = '42P01';

/** The names of the migrations that the database lacks. Changes nothing. */
export async function missingMigrations<Tables>(
  { kysely }: Database<Tables>,
  ...sets: Migrations[]
): Promise<string[]> {
  const query = CompiledQuery.raw('select package, name from schema_migration');
  const recorded = await kysely
    .executeQuery<{ package: string; name: string }>(query)
    .then(({ rows }) => rows)
    .catch((error: unknown) => {
      if (errorCode(error) === UNDEFINED_TABLE) return [];
      throw error;
    });
  const names = new Set(recorded.map((row) => `${row.package}/${row.name}`));
  const files = await Promise.all(
    sets.map(async (set) =>
      (await readMigrationFiles(set)).map(({ name }) => `${set.package}/${name}`),
    ),
  );
  return files.flat().filter((name) => !names.has(name));
}

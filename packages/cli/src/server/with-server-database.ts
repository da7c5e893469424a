import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { UserError } from '@bellhop/bot-cli/command-line';
import type { Database, Migrations } from '@bellhop/postgres';
import { serverMigrations, type Tables } from '@bellhop/server/provision';

import { openStorage } from '../service/open-storage.ts';

/**
 * Runs `work` with the database of a server: that of DATABASE_URL, or the embedded one, which no server
 * must have open. `migrations` run before; default: those of the server. Throws a UserError if there is none.
 */
export async function withServerDatabase<T>(
  applicationName: string,
  work: (db: Database<Tables>) => Promise<T>,
  migrations: readonly Migrations[] = serverMigrations,
): Promise<T> {
  const { env } = process;
  const dataDir = env['BELLHOP_DATA_DIR'] || '.bellhop-server';
  if (!env['DATABASE_URL'] && !existsSync(join(dataDir, 'cluster')))
    throw new UserError(
      `There is no database in ${dataDir}. Run the command with the environment of the server: its DATABASE_URL, or BELLHOP_DATA_DIR.`,
    );
  const storage = await openStorage({
    url: env['DATABASE_URL'] || undefined,
    urlVariable: 'DATABASE_URL',
    dataDir,
  });
  try {
    return await work(await storage.open<Tables>('', migrations, applicationName));
  } finally {
    await storage.stop();
  }
}

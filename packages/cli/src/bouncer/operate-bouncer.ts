import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { rethrowAsUserError, UserError } from '@bellhop/bot-cli/command-line';
import type { BouncerTables } from '@bellhop/bouncer';
import {
  BadConfig,
  migrations,
  type Operator,
  type OperatorConfig,
  OperatorError,
  readOperatorConfig,
  requireEncryptionKey,
} from '@bellhop/bouncer/operator';

import { openStorage } from '../service/open-storage.ts';
import { accountName } from './account-name.ts';

/** The last lines of the help of the commands that work without a running bouncer. */
export const keysHelp = `Works on the database, without a running bouncer; one that runs notices it within a second or two. With the embedded PostgreSQL, stop the bouncer first.

Environment:
  BELLHOP_BOUNCER_DATABASE_URL   (or ..._FILE) the database; without it the one in BELLHOP_DATA_DIR
  BELLHOP_DATA_DIR               where the embedded PostgreSQL keeps its files (default .bellhop-bouncer)
  BELLHOP_BOUNCER_KEYS           (or ..._FILE) as for the bouncer, if it has them
  BELLHOP_BOUNCER_ENCRYPTION_KEY (or ..._FILE) as for the bouncer`;

interface OfflineWork<Result> {
  readonly work: (operator: Operator, config: OperatorConfig) => Promise<Result>;
  /**
   * Called before there is a database: throws what would be refused later, so that no new database is made
   * for nothing.
   */
  readonly check?: (config: OperatorConfig) => void;
  /** Whether a new embedded database makes sense; default: true. */
  readonly makesDatabase?: boolean;
}

/** Works on the bouncer's database. An OperatorError becomes a UserError. */
export async function operateBouncer<Result>({
  work,
  check = () => {},
  makesDatabase = true,
}: OfflineWork<Result>): Promise<Result> {
  const { env } = process;
  const config = operatorConfig(env);
  check(config);
  const dataDir = env['BELLHOP_DATA_DIR'] || '.bellhop-bouncer';
  const isNew = config.databaseUrl === undefined && !existsSync(join(dataDir, 'cluster'));
  if (isNew && !makesDatabase)
    throw new UserError(
      `There is no database in ${dataDir}: set BELLHOP_BOUNCER_DATABASE_URL, or BELLHOP_DATA_DIR to the directory of the bouncer.`,
    );
  if (isNew)
    console.error(
      `BELLHOP_BOUNCER_DATABASE_URL is not set: making a new embedded database in ${dataDir}.`,
    );
  const storage = await openStorage({
    url: config.databaseUrl,
    urlVariable: 'BELLHOP_BOUNCER_DATABASE_URL',
    dataDir,
  });
  try {
    const database = await storage.open<BouncerTables>('', migrations, 'bellhop-bouncer-operator');
    return await work({ database, name: accountName(env), now: Date.now }, config);
  } catch (error) {
    if (error instanceof OperatorError) return rethrowAsUserError(error);
    throw error;
  } finally {
    await storage.stop();
  }
}

/** The part of the configuration that works without credentials. Throws a UserError with its faults. */
export function operatorConfig(env: NodeJS.ProcessEnv): OperatorConfig {
  try {
    const config = readOperatorConfig(env);
    requireEncryptionKey(config);
    return config;
  } catch (error) {
    if (error instanceof BadConfig || error instanceof OperatorError)
      return rethrowAsUserError(error);
    throw error;
  }
}

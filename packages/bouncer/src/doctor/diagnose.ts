import { checkDataDirectory, type Migrations } from '@bellhop/postgres';
import { TokenKind } from '@bellhop/protocol/bouncer';

import { BadConfig, type BouncerEnvironment, readConfig } from '../config/bouncer-config.ts';
import type { Environment } from '../settings/variable-reader.ts';
import { checkDatabase } from './check-database.ts';
import { checkProvider } from './check-provider.ts';
import { checkSettings } from './check-settings.ts';
import { failed, type Finding, ok, warning } from './finding.ts';

export interface DiagnoseOptions {
  readonly env: Environment;
  readonly migrations: readonly Migrations[];
  /** Where the embedded PostgreSQL keeps its files, if the environment names no database. */
  readonly dataDir: string;
  /** The ID of the iPhone app for the request to APNs. */
  readonly app: string | undefined;
}

/** Checks whether a bouncer with this environment would work. Changes nothing and reaches no phone. */
export async function diagnose({
  env,
  migrations,
  dataDir,
  app,
}: DiagnoseOptions): Promise<Finding[]> {
  let config: BouncerEnvironment;
  try {
    config = readConfig(env);
  } catch (error) {
    if (!(error instanceof BadConfig)) throw error;
    return error.problems.map((problem) =>
      failed('configuration', problem, '"bellhop bouncer run --help" explains every variable.'),
    );
  }
  const { databaseUrl: url } = config;
  const checks = [
    url === undefined ? checkEmbedded(dataDir) : checkDatabase({ config, url, migrations }),
    ...TokenKind.options.map((kind) => checkProvider(config, kind, app)),
  ];
  const found = (await Promise.all(checks)).flat();
  return [ok('configuration', 'every variable can be used'), ...checkSettings(config), ...found];
}

const embedded = warning(
  'database',
  'the embedded PostgreSQL is used; its tables were not checked',
  'For production, set BELLHOP_BOUNCER_DATABASE_URL: it can be backed up while it runs, and serve several nodes.',
);

/** Checks whether the embedded PostgreSQL would start. */
async function checkEmbedded(dataDir: string): Promise<Finding[]> {
  const check = 'database: directory';
  try {
    const pid = await checkDataDirectory(dataDir);
    if (pid === undefined) return [embedded];
    const why = `process ${pid} uses ${dataDir}`;
    return [
      embedded,
      warning(check, why, 'Unless it is this bouncer, end it, or change BELLHOP_DATA_DIR.'),
    ];
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [
      embedded,
      failed(check, why, 'Set BELLHOP_DATA_DIR to a directory of the bouncer, or a new one.'),
    ];
  }
}

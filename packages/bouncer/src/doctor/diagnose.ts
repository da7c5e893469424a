import { diagnoseEmbedded, failed, type Finding, type Migrations, ok } from '@bellhop/postgres';
import { TokenKind } from '@bellhop/protocol/bouncer';

import { BadConfig, type BouncerEnvironment, readConfig } from '../config/bouncer-config.ts';
import type { Environment } from '../settings/variable-reader.ts';
import { checkDatabase, named } from './check-database.ts';
import { checkProvider } from './check-provider.ts';
import { checkSettings } from './check-settings.ts';

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
    url === undefined
      ? diagnoseEmbedded(dataDir, named)
      : checkDatabase({ config, url, migrations }),
    ...TokenKind.options.map((kind) => checkProvider(config, kind, app)),
  ];
  const found = (await Promise.all(checks)).flat();
  return [ok('configuration', 'every variable can be used'), ...checkSettings(config), ...found];
}

import { createBouncer, migrations, readConfig, variables } from '@bellhop/bouncer';
import type { BouncerTables } from '@bellhop/bouncer';
import { jobsMigrations } from '@bellhop/jobs';

import { defineCommand } from '../command-line/command.ts';
import { UserError } from '../command-line/user-error.ts';
import { openLog } from '../service/open-log.ts';
import { openStorage } from '../service/open-storage.ts';
import { serveUntilSignal } from '../service/serve-until-signal.ts';

const listed = Object.entries(variables)
  .map(([name, variable]) => {
    const notes = [
      'default' in variable ? `default ${variable.default}` : '',
      'orFile' in variable ? `or ${name}_FILE` : '',
    ].filter(Boolean);
    return `  ${name}\n      ${variable.description}${notes.length > 0 ? ` (${notes.join('; ')})` : ''}`;
  })
  .join('\n');

export const bouncer = defineCommand({
  description: `Logs JSON and serves /livez, /readyz and /metrics.

Environment:
  BELLHOP_DATA_DIR
      where the embedded PostgreSQL keeps its files (default .bellhop-bouncer)
  BELLHOP_LOG_LEVEL
      default info
${listed}`,
  parameters: {},
  async run() {
    const { env } = process;
    const config = configFrom(env);
    const log = openLog(env['BELLHOP_LOG_LEVEL'] || 'info');
    return serveUntilSignal({
      log,
      port: config.port,
      host: config.host,
      portVariable: 'BELLHOP_BOUNCER_PORT',
      openStorage: (hooks) =>
        openStorage({
          ...hooks,
          url: config.databaseUrl,
          dataDir: env['BELLHOP_DATA_DIR'] || '.bellhop-bouncer',
        }),
      create: async (storage) => {
        const tables = [jobsMigrations, ...migrations];
        const database = await storage.open<BouncerTables>('', tables, 'bellhop-bouncer');
        return createBouncer({ database, config, log });
      },
    });
  },
});

/** Throws one UserError that names every missing or wrong variable. */
function configFrom(env: Readonly<Record<string, string | undefined>>) {
  try {
    return readConfig(env);
  } catch (error) {
    const { message } = error as Error;
    throw new UserError(
      `The environment is not usable ("bellhop secrets" makes keys):\n${message}`,
    );
  }
}

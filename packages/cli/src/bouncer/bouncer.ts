import { defineCommand, rethrowAsUserError, UserError } from '@bellhop/bot-cli/command-line';
import {
  BadConfig,
  type Bouncer,
  type BouncerEnvironment,
  type BouncerTables,
  createBouncer,
  migrations,
  readConfig,
  SealedKeyError,
} from '@bellhop/bouncer';
import { variables } from '@bellhop/bouncer/variables';
import { jobsMigrations } from '@bellhop/jobs';

import { misspeltVariables } from '../service/misspelt-variables.ts';
import { openLog } from '../service/open-log.ts';
import { openStorage } from '../service/open-storage.ts';
import { serveUntilSignal } from '../service/serve-until-signal.ts';
import { bouncerVariableNames, bouncerVariablesOfServers } from './variable-names.ts';
import { withConsole } from './with-console.ts';

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
  description: `Logs JSON and serves /livez and /readyz; with BELLHOP_BOUNCER_METRICS_PORT also /metrics, on an address of its own. At SIGHUP it reads the files named by NAME_FILE again and takes over their keys.

Environment:
  BELLHOP_DATA_DIR
      where the embedded PostgreSQL keeps its files (default .bellhop-bouncer)
  BELLHOP_LOG_LEVEL
      default info
${listed}`,
  async run() {
    const { env } = process;
    const config = configFrom(env);
    const log = openLog(env['BELLHOP_LOG_LEVEL'] || 'info');
    let running: Bouncer | undefined;
    return serveUntilSignal({
      log,
      port: config.port,
      host: config.host,
      hostVariable: 'BELLHOP_BOUNCER_HOST',
      portVariable: 'BELLHOP_BOUNCER_PORT',
      stopDelaySeconds: config.stopDelaySeconds,
      databaseWait: {
        seconds: config.databaseWaitSeconds,
        variable: 'BELLHOP_BOUNCER_DATABASE_WAIT',
      },
      metricsAddress: config.metrics && {
        ...config.metrics,
        hostVariable: 'BELLHOP_BOUNCER_METRICS_HOST',
        portVariable: 'BELLHOP_BOUNCER_METRICS_PORT',
      },
      openStorage: (hooks) =>
        openStorage({
          ...hooks,
          url: config.databaseUrl,
          urlVariable: 'BELLHOP_BOUNCER_DATABASE_URL',
          dataDir: env['BELLHOP_DATA_DIR'] || '.bellhop-bouncer',
        }),
      create: async (storage) => {
        const tables = [jobsMigrations, ...migrations];
        const database = await storage.open<BouncerTables>('', tables, 'bellhop-bouncer');
        running = await createBouncer({ database, config, log }).catch((error: unknown) => {
          if (error instanceof SealedKeyError) return rethrowAsUserError(error);
          throw error;
        });
        if (config.operatorToken === undefined) return running;
        return { ...running, listener: await withConsole(running.listener) };
      },
      reload: async () => {
        try {
          await running?.reload(configFrom(env));
        } catch (error) {
          if (!(error instanceof UserError || error instanceof SealedKeyError)) throw error;
          log.error(
            { faults: error.message },
            'the bouncer keeps its configuration: the new one has faults',
          );
        }
      },
    });
  },
});

/** Throws one UserError with a line for every variable that is missing, wrong or misspelt. */
function configFrom(env: Readonly<Record<string, string | undefined>>): BouncerEnvironment {
  const faults = misspeltVariables(env, [...bouncerVariableNames, ...bouncerVariablesOfServers]);
  let config: BouncerEnvironment | undefined;
  try {
    config = readConfig(env);
  } catch (error) {
    if (!(error instanceof BadConfig)) throw error;
    faults.push(...error.problems);
  }
  if (config && faults.length === 0) return config;
  throw new UserError(
    `The environment is not usable ("bellhop secrets" makes keys):\n${faults.join('\n')}`,
  );
}

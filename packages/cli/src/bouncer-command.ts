import { createBouncer, migrations, readConfig, variables } from '@bellhop/bouncer';
import type { BouncerTables } from '@bellhop/bouncer';
import { listen } from '@bellhop/http';
import { jobsMigrations } from '@bellhop/jobs';
import { pino } from 'pino';

import { Complaint, type Command } from './command.ts';
import { openStorage } from './open-storage.ts';
import { untilSignal } from './until-signal.ts';

const listed = Object.entries(variables)
  .map(([name, variable]) => {
    const notes = [
      'default' in variable ? `default ${variable.default}` : '',
      'orFile' in variable ? `or ${name}_FILE` : '',
    ].filter(Boolean);
    return `  ${name}\n      ${variable.description}${notes.length > 0 ? ` (${notes.join('; ')})` : ''}`;
  })
  .join('\n');

export const bouncerCommand: Command = {
  name: 'bouncer',
  summary: 'Run the push bouncer',
  usage: '',
  help: `Logs JSON. /livez, /readyz and /metrics tell how it is.

Environment:
  BELLHOP_DATA_DIR
      where the embedded PostgreSQL keeps its files (default .bellhop-bouncer)
  BELLHOP_LOG_LEVEL
      default info
${listed}`,
  async run() {
    const config = checked();
    const log = pino({ level: process.env['BELLHOP_LOG_LEVEL'] ?? 'info' });
    const storage = await openStorage({
      url: config.databaseUrl,
      dataDir: process.env['BELLHOP_DATA_DIR'] ?? '.bellhop-bouncer',
    });
    const database = await storage.open<BouncerTables>(
      '',
      [jobsMigrations, ...migrations],
      'bellhop-bouncer',
    );
    const bouncer = await createBouncer({ database, config, log });
    const listening = await listen(bouncer.listener, {
      port: config.port,
      host: config.host,
    }).catch(async (error: unknown) => {
      await bouncer.stop();
      await storage.stop();
      throw new Complaint(`${(error as Error).message}: choose another with BELLHOP_BOUNCER_PORT.`);
    });
    log.info({ url: listening.url }, 'listening');
    return untilSignal(async () => {
      log.info('stopping');
      await listening.stop();
      await bouncer.stop();
      await storage.stop();
    });
  },
};

function checked() {
  try {
    return readConfig(process.env);
  } catch (error) {
    throw new Complaint((error as Error).message);
  }
}

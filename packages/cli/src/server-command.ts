import { listen } from '@bellhop/http';
import { createServer, readConfig, variables } from '@bellhop/server';
import { serverMigrations, type Tables } from '@bellhop/server/provision';
import { pino } from 'pino';

import { Complaint, type Command } from './command.ts';
import { ensureRealm } from './ensure-realm.ts';
import { openStorage } from './open-storage.ts';
import { untilSignal } from './until-signal.ts';

const listed = variables
  .map(
    ({ name, description, required }) =>
      `  ${name.padEnd(26)} ${required ? '(required) ' : ''}${description}`,
  )
  .join('\n');

export const serverCommand: Command = {
  name: 'server',
  summary: 'Run the chat server',
  usage: '[--owner E-MAIL --name "Full Name" --realm "Organization"]',
  help: `Logs JSON. /livez, /readyz and /metrics tell how it is.
With --owner the first start makes the realm and its owner, and prints the owner's API key once.

Environment:
  DATABASE_URL               PostgreSQL 15 or newer; without it one is started in BELLHOP_DATA_DIR
  BELLHOP_DATA_DIR           where the embedded PostgreSQL keeps its files (default .bellhop-server)
${listed}`,
  options: {
    owner: { type: 'string' },
    name: { type: 'string' },
    realm: { type: 'string' },
  },
  async run({ options }) {
    const config = checked(() => readConfig(process.env));
    const log = pino({ level: config.logLevel, redact: ['*.token', '*.password', '*.api_key'] });
    const storage = await openStorage({
      url: process.env['DATABASE_URL'],
      dataDir: process.env['BELLHOP_DATA_DIR'] ?? '.bellhop-server',
    });
    const db = await storage.open<Tables>('', serverMigrations, 'bellhop-server');
    if (typeof options['owner'] === 'string')
      await ensureRealm(db, config, {
        email: options['owner'],
        full_name: String(options['name'] ?? options['owner'].split('@')[0]),
        realm: String(options['realm'] ?? 'Bellhop'),
      });
    const server = await createServer({ config, db, log });
    const listening = await listen(server.listener, { port: config.port, host: config.host }).catch(
      async (error: unknown) => {
        await server.stop();
        await storage.stop();
        throw new Complaint(`${(error as Error).message}: choose another with BELLHOP_PORT.`);
      },
    );
    log.info({ url: listening.url, realm: config.externalUrl }, 'listening');
    return untilSignal(async () => {
      log.info('stopping');
      await server.stop();
      await listening.stop();
      await storage.stop();
    });
  },
};

function checked<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new Complaint((error as Error).message);
  }
}

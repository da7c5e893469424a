import { createServer, readConfig, variables } from '@bellhop/server';
import { serverMigrations, type Tables } from '@bellhop/server/provision';

import { Complaint, type Command } from '../command-line/command.ts';
import { openLog } from '../service/open-log.ts';
import { openStorage } from '../service/open-storage.ts';
import { serveUntilSignal } from '../service/serve-until-signal.ts';
import { ensureRealm } from './ensure-realm.ts';

const listed = variables
  .map(({ name, description, required }) =>
    `  ${name.padEnd(26)} ${required ? '(required) ' : ''}${description}`.trimEnd(),
  )
  .join('\n');

export const serverCommand: Command = {
  usage: '[--owner E-MAIL --name "Full Name" --realm "Organization"]',
  help: `Logs JSON. /livez, /readyz and /metrics tell how it is.
With --owner the first start makes the realm and its owner, and prints the owner's password and API
key once, to standard error. "bellhop secrets" makes the secrets.

Environment:
  DATABASE_URL               PostgreSQL 15 or newer; without it one is started in BELLHOP_DATA_DIR
  BELLHOP_DATA_DIR           where the embedded PostgreSQL keeps its files (default .bellhop-server)
${listed}`,
  options: {
    owner: { type: 'string' },
    name: { type: 'string' },
    realm: { type: 'string' },
  },
  run({ options }) {
    const { env } = process;
    const config = configFrom(env);
    const log = openLog(config.logLevel);
    const { owner } = options;
    if (owner !== undefined && !String(owner).includes('@'))
      throw new Complaint('--owner takes an e-mail address.');
    return serveUntilSignal({
      log,
      port: config.port,
      host: config.host,
      portVariable: 'BELLHOP_PORT',
      openStorage: () =>
        openStorage({
          url: env['DATABASE_URL'] || undefined,
          dataDir: env['BELLHOP_DATA_DIR'] || '.bellhop-server',
        }),
      create: async (storage) => {
        const db = await storage.open<Tables>('', serverMigrations, 'bellhop-server');
        if (typeof owner === 'string')
          await ensureRealm(db, config, {
            email: owner,
            full_name: String(options['name'] ?? owner.split('@')[0]),
            realm: String(options['realm'] ?? 'Bellhop'),
          });
        const known = await db.kysely.selectFrom('realm').select('id').limit(1).execute();
        if (known.length === 0) log.warn('there is no realm yet: start once with --owner E-MAIL');
        return createServer({ config, db, log });
      },
    });
  },
};

type Environment = Readonly<Record<string, string | undefined>>;
const bouncerVariables = [
  'BELLHOP_BOUNCER_URL',
  'BELLHOP_BOUNCER_ORG_ID',
  'BELLHOP_BOUNCER_ORG_KEY',
];

/** Throws one Complaint that names every variable that is missing or wrong. */
function configFrom(env: Environment) {
  const isMissing = (name: string) => !env[name];
  const required = variables.filter(({ name, required: needed }) => needed && isMissing(name));
  const halfBouncer = bouncerVariables.every(isMissing) ? [] : bouncerVariables.filter(isMissing);
  const missing = [
    ...required.map(({ name, description }) => `  ${name}: ${description}`),
    ...halfBouncer.map((name) => `  ${name}: all three of the bouncer's variables, or none`),
  ];
  if (missing.length > 0)
    throw new Complaint(
      `These variables are missing ("bellhop secrets" makes secrets):\n${missing.join('\n')}`,
    );
  try {
    return readConfig(env);
  } catch (error) {
    throw new Complaint((error as Error).message);
  }
}

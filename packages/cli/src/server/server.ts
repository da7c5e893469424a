import {
  defineCommand,
  rethrowAsUserError,
  textFlag,
  valueFlag,
} from '@bellhop/bot-cli/command-line';
import { INITIAL_REALM_NAME } from '@bellhop/protocol';
import { createServer, FileStoreFault, WrongSecretError } from '@bellhop/server';
import { isMailAddress, serverMigrations, type Tables } from '@bellhop/server/provision';

import { openLog } from '../service/open-log.ts';
import { openStorage } from '../service/open-storage.ts';
import { serveUntilSignal } from '../service/serve-until-signal.ts';
import { ensureRealm } from './ensure-realm.ts';
import { readEnvironment, variableList } from './server-environment.ts';

export const server = defineCommand({
  description: `Logs JSON and serves /livez and /readyz; with BELLHOP_METRICS_PORT also /metrics, on an address of its own.
With --owner the first start makes the first organization (realm) and its owner, and prints the owner's password and API
key once, to standard error. "bellhop secrets" makes the secrets.

Environment:
  DATABASE_URL
      PostgreSQL 15 or newer; without it one is started in BELLHOP_DATA_DIR
  BELLHOP_DATA_DIR
      where the embedded PostgreSQL keeps its files (default .bellhop-server)
${variableList}`,
  flags: {
    owner: valueFlag('E-mail address of the first owner', 'e-mail', parseEmail),
    name: textFlag(
      'Full name of the first owner; the part of the address before @ if left out',
      'name',
    ),
    realm: valueFlag('Name of the organization', 'name', String, INITIAL_REALM_NAME),
  },
  async run({ owner, name, realm }) {
    const { env } = process;
    const config = readEnvironment(env);
    const log = openLog(config.logLevel);
    return serveUntilSignal({
      log,
      port: config.port,
      host: config.host,
      hostVariable: 'BELLHOP_HOST',
      portVariable: 'BELLHOP_PORT',
      stopDelaySeconds: config.stopDelaySeconds,
      databaseWait: { seconds: config.databaseWaitSeconds, variable: 'BELLHOP_DATABASE_WAIT' },
      metricsAddress: config.metrics && {
        ...config.metrics,
        hostVariable: 'BELLHOP_METRICS_HOST',
        portVariable: 'BELLHOP_METRICS_PORT',
      },
      openStorage: (hooks) =>
        openStorage({
          ...hooks,
          url: env['DATABASE_URL'] || undefined,
          urlVariable: 'DATABASE_URL',
          dataDir: env['BELLHOP_DATA_DIR'] || '.bellhop-server',
        }),
      create: async (storage) => {
        const db = await storage.open<Tables>('', serverMigrations, 'bellhop-server');
        if (owner !== undefined)
          await ensureRealm(db, config, {
            email: owner,
            full_name: name ?? owner.replace(/@.*/, ''),
            realm,
          });
        const known = await db.kysely.selectFrom('realm_name').select('id').limit(1).execute();
        if (known.length === 0) log.warn('there is no realm yet: start once with --owner E-MAIL');
        if (!config.mail.smtp)
          log.warn(
            { outbox: config.mail.outbox },
            'BELLHOP_SMTP_HOST is not set: mails are written into the outbox',
          );
        return createServer({ config, db, log }).catch((error: unknown) => {
          if (error instanceof WrongSecretError || error instanceof FileStoreFault)
            return rethrowAsUserError(error);
          throw error;
        });
      },
    });
  },
});

function parseEmail(text: string): string {
  const address = text.trim();
  if (isMailAddress(address)) return address;
  throw new SyntaxError('write an e-mail address, such as ann@example.com');
}

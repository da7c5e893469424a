import {
  deactivateRealm,
  reactivateRealm,
  serverMigrations,
  type Tables,
} from '@bellhop/server/provision';

import { defineCommand } from '../command-line/command.ts';
import { valueFlag } from '../command-line/flags.ts';
import { UserError } from '../command-line/user-error.ts';
import { openStorage } from '../service/open-storage.ts';

const environment = `The servers notice it within a second. With the embedded PostgreSQL, stop the server first.

Environment:
  DATABASE_URL               the database of the server; without it the one in BELLHOP_DATA_DIR
  BELLHOP_DATA_DIR           where the embedded PostgreSQL keeps its files (default .bellhop-server)`;

const activityCommand = (description: string, isActive: boolean) =>
  defineCommand({
    description: `${description}\n${environment}`,
    flags: {
      subdomain: valueFlag(
        'Subdomain of the organization; the default one if left out',
        'name',
        String,
        '',
      ),
    },
    async run({ subdomain }) {
      const { env } = process;
      const storage = await openStorage({
        url: env['DATABASE_URL'] || undefined,
        urlVariable: 'DATABASE_URL',
        dataDir: env['BELLHOP_DATA_DIR'] || '.bellhop-server',
      });
      try {
        const db = await storage.open<Tables>('', serverMigrations, 'bellhop-realm');
        const realm = await db.kysely
          .selectFrom('realm')
          .select(['id', 'name'])
          .where('subdomain', '=', subdomain)
          .executeTakeFirst();
        if (!realm)
          throw new UserError(`There is no organization with the subdomain "${subdomain}".`);
        const change = isActive ? reactivateRealm : deactivateRealm;
        const hasChanged = await db.transaction((tx) => change(tx, realm.id));
        const state = isActive ? 'active' : 'deactivated';
        console.log(
          `The organization "${realm.name}" is ${hasChanged ? 'now' : 'already'} ${state}.`,
        );
      } finally {
        await storage.stop();
      }
    },
  });

export const deactivate = activityCommand(
  'Event queues and push devices end, and every call is answered REALM_DEACTIVATED. All data stays.',
  false,
);
export const reactivate = activityCommand(
  'Users and bots log in with the same keys as before, and phones register again.',
  true,
);

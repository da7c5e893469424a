import { defineCommand } from '@bellhop/bot-cli/command-line';
import { serverMigrations } from '@bellhop/server/provision';

import { describeMove, moveDatabase } from '../service/move-database.ts';

export const moveServerDatabase = defineCommand({
  description: `${describeMove('chat server', 'DATABASE_URL')}

Environment:
  DATABASE_URL       the new database
  BELLHOP_DATA_DIR   where the embedded PostgreSQL keeps its files (default .bellhop-server)`,
  run: () =>
    moveDatabase({
      program: 'chat server',
      dataDir: process.env['BELLHOP_DATA_DIR'] || '.bellhop-server',
      url: process.env['DATABASE_URL'] || undefined,
      urlVariable: 'DATABASE_URL',
      migrations: serverMigrations,
    }),
});

import { defineCommand } from '@bellhop/bot-cli/command-line';
import { migrations } from '@bellhop/bouncer/operator';

import { describeMove, moveDatabase } from '../service/move-database.ts';
import { operatorConfig } from './operate-bouncer.ts';

export const moveBouncerDatabase = defineCommand({
  description: `${describeMove('bouncer', 'BELLHOP_BOUNCER_DATABASE_URL')}

Environment:
  BELLHOP_BOUNCER_DATABASE_URL   (or ..._FILE) the new database
  BELLHOP_DATA_DIR               where the embedded PostgreSQL keeps its files (default .bellhop-bouncer)
  BELLHOP_BOUNCER_ENCRYPTION_KEY (or ..._FILE) as for the bouncer, if it has one`,
  run: () =>
    moveDatabase({
      program: 'bouncer',
      dataDir: process.env['BELLHOP_DATA_DIR'] || '.bellhop-bouncer',
      url: operatorConfig(process.env).databaseUrl,
      urlVariable: 'BELLHOP_BOUNCER_DATABASE_URL',
      migrations,
    }),
});

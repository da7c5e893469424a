import { defineCommand, UserError } from '@bellhop/bot-cli/command-line';
import { missingMigrations } from '@bellhop/postgres';
import { distributionStatements, serverMigrations } from '@bellhop/server/provision';

import { withServerDatabase } from './with-server-database.ts';

export const distribute = defineCommand({
  description: `Prints the statements with which Citus places the organizations of the server's database on the nodes of a cluster, each with all that is its own. It changes nothing: give what it prints to psql, at the coordinator, while no server runs. docs/self-hosting/citus.md says what has to be there before.
Run it with the environment of the server: its DATABASE_URL, or BELLHOP_DATA_DIR.`,
  flags: {},
  run: () =>
    withServerDatabase(
      'bellhop-distribute',
      async (db) => {
        const [missing] = await missingMigrations(db, ...serverMigrations);
        if (missing !== undefined)
          throw new UserError(
            `The tables are not those of this version: ${missing} has not run. Start a server of it once, and stop it.`,
          );
        console.log((await distributionStatements(db.kysely)).join('\n'));
      },
      [],
    ),
});

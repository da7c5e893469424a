import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { rethrowAsUserError, untilSignal, UserError } from '@bellhop/bot-cli/command-line';
import { copyDatabase, CopyRefused, type Migrations, requireUnused } from '@bellhop/postgres';

import { openStorage, type Storage } from './open-storage.ts';

/** Milliseconds between two lines about the progress. */
const PROGRESS_MS = 2000;
const APPLICATION = 'bellhop-move-database';

export interface DatabaseMove {
  /** What people call the program. */
  readonly program: 'chat server' | 'bouncer';
  /** Where its embedded PostgreSQL keeps its files. */
  readonly dataDir: string;
  /** The URL of the new database; undefined if the variable is not set. */
  readonly url: string | undefined;
  readonly urlVariable: string;
  readonly migrations: readonly Migrations[];
}

/** The description of the command. */
export const describeMove = (program: DatabaseMove['program'], urlVariable: string): string =>
  `Copies everything that the embedded PostgreSQL in BELLHOP_DATA_DIR has into the empty database of ${urlVariable}, and checks that all rows are there. Stop the ${program} first, and start it again with ${urlVariable}: it goes on where it was, and so do its clients.
The copy is made at once or not at all: after an interruption, run the same command again. The former database stays as it is; a ${program} that is started on it again gives out no number that the new one has given out.`;

/** Moves a program from its embedded PostgreSQL to one of the operator's. Returns the exit code. */
export function moveDatabase(move: DatabaseMove): Promise<number> {
  const { program, dataDir, url, urlVariable } = move;
  if (url === undefined)
    throw new UserError(
      `Set ${urlVariable} to the URL of an empty database of your PostgreSQL: the data are copied there.`,
    );
  if (!existsSync(join(dataDir, 'cluster')))
    throw new UserError(
      `There is no embedded PostgreSQL in ${dataDir}: set BELLHOP_DATA_DIR to the directory of the ${program}.`,
    );
  let isMoved = false;
  return untilSignal({
    onSignal: () => {
      if (!isMoved) console.error('Stopping');
    },
    start: async (stopping, end) => {
      await copy(move, url, stopping).catch((error: unknown) => {
        if (error === stopping.reason) console.error('Nothing was moved.');
        if (error instanceof CopyRefused)
          throw new UserError(`${urlVariable}: ${error.message}. Nothing was moved.`);
        return rethrowAsUserError(error);
      });
      isMoved = true;
      end();
      return async () => {};
    },
  });
}

async function copy(move: DatabaseMove, url: string, signal: AbortSignal): Promise<void> {
  const { program, dataDir, urlVariable, migrations } = move;
  const target = await openStorage({ url, urlVariable, dataDir });
  await using empty = await target.open('', [], APPLICATION);
  await requireUnused(empty);
  const source = await openStorage({ url: undefined, urlVariable, dataDir });
  try {
    // That of another program is refused before the target has tables.
    await migrateOnly(source, migrations);
    await migrateOnly(target, migrations);
    let toldAt = -Infinity;
    const { tables, rows } = await copyDatabase({
      from: source.url,
      to: target.url,
      signal,
      progress: ({ table, rows: done, all }) => {
        if (performance.now() - toldAt < PROGRESS_MS) return;
        toldAt = performance.now();
        console.error(`${done} of ${all} rows copied, ${table}`);
      },
    });
    console.log(
      `Moved ${rows} rows of ${tables} tables to the database of ${urlVariable}. Start the ${program} with ${urlVariable} set.\nThe former database is in ${dataDir}: keep it until you have a backup of the new one.`,
    );
  } finally {
    await source.stop();
  }
}

/** Makes the tables those of this version, and leaves no connection open. */
async function migrateOnly(storage: Storage, migrations: readonly Migrations[]): Promise<void> {
  const database = await storage.open('', migrations, APPLICATION);
  await database.close();
}

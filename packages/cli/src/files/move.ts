import {
  defineCommand,
  requiredFlag,
  rethrowAsUserError,
  untilSignal,
  UserError,
} from '@bellhop/bot-cli/command-line';
import type { Database } from '@bellhop/postgres';
import type { Config } from '@bellhop/server';
import {
  createFiles,
  type FilePlaceName,
  type FilesCount,
  FileStoreFault,
  moveUploads,
  removeLooseObjects,
  type Tables,
} from '@bellhop/server/provision';

import { readEnvironment } from '../server/server-environment.ts';
import { withServerDatabase } from '../server/with-server-database.ts';

/** Milliseconds between two lines about the progress. */
const PROGRESS_MS = 2000;

const placeNames: Readonly<Record<FilePlaceName, string>> = {
  database: 'the database',
  s3: 'the S3-compatible store',
};

export const move = defineCommand({
  description: `Moves the bytes of all uploaded files, while servers run. Each file is read back from its new place and
compared before it leaves the old one. Ctrl-C ends it after the files under way; the same command goes on with the rest.
BELLHOP_FILES says where servers store new files: set it, and restart the servers, before you move the others.
With the embedded PostgreSQL, stop the server first.

Environment: that of the server, with BELLHOP_S3_BUCKET and the variables beside it, in both directions`,
  flags: { to: requiredFlag('Where the files go: s3 or database', 'place', parsePlace) },
  run({ to }) {
    const config = readEnvironment(process.env);
    if (config.files.s3 === undefined)
      throw new UserError(
        'Set BELLHOP_S3_BUCKET and the variables beside it: see "bellhop server run --help".',
      );
    let code: number | undefined;
    return untilSignal({
      onSignal: () => {
        if (code === undefined)
          console.error('Stopping after the files under way; once more stops at once');
      },
      start: async (stopping, end) => {
        code = await withServerDatabase('bellhop-files', (db) =>
          moveAll(db, { config, to, signal: stopping }),
        ).catch((error: unknown) => {
          if (error instanceof FileStoreFault) return rethrowAsUserError(error);
          throw error;
        });
        end();
        return async () => {};
      },
    }).then((ended) => (ended === 0 ? (code ?? 0) : ended));
  },
});

interface Move {
  readonly config: Config;
  readonly to: FilePlaceName;
  readonly signal: AbortSignal;
}

/** Returns the exit code: 1 if the bytes of a file are gone, 130 if the move was interrupted. */
async function moveAll(db: Database<Tables>, { config, to, signal }: Move): Promise<number> {
  const files = createFiles(config.files);
  const options = {
    db: db.kysely,
    transact: <T>(_realm: unknown, work: Parameters<typeof db.transaction<T>>[0]) =>
      db.transaction(work),
    objects: files.objects(),
    now: () => Math.floor(Date.now() / 1000),
    signal,
  };
  try {
    await options.objects.check();
    let missing = 0;
    let toldAt = -Infinity;
    const moved = await moveUploads({
      ...options,
      to,
      onProgress: (done, all) => {
        if (performance.now() - toldAt < PROGRESS_MS) return;
        toldAt = performance.now();
        console.error(`${done.files} of ${sizeOf(all)} moved, ${mib(done.bytes)}`);
      },
      onMissing: (path, error) => {
        missing += 1;
        console.error(`${path} has lost its content: ${error.message}`);
      },
    });
    // Servers do it too, but only while they know the store.
    if (to === 'database') await removeLooseObjects(options);
    console.log(`Moved ${sizeOf(moved)}, to ${placeNames[to]}.`);
    if (config.files.newIn !== to)
      console.log(
        `BELLHOP_FILES is ${config.files.newIn} here: servers with this setting still store new files in ${placeNames[config.files.newIn]}.`,
      );
    if (signal.aborted) return 130;
    return missing > 0 ? 1 : 0;
  } finally {
    await files.close();
  }
}

const mib = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MiB`;
const sizeOf = ({ files, bytes }: FilesCount): string =>
  `${files} ${files === 1 ? 'file' : 'files'} with ${mib(bytes)}`;

function parsePlace(text: string): FilePlaceName {
  if (text === 's3' || text === 'database') return text;
  throw new SyntaxError('write s3 or database');
}

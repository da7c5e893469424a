import { rethrowAsUserError, UserError } from '@bellhop/bot-cli/command-line';
import {
  checkedDatabaseUrl,
  type Database,
  ForeignDatabase,
  migrate,
  type Migrations,
  openDatabase,
  startPostgres,
  UnsuitableDatabase,
} from '@bellhop/postgres';

/** A PostgreSQL: the user's own, or the embedded one in a directory. */
export interface Storage {
  /** The URL of the database that has no name of its own. */
  readonly url: string;
  /** Opens a database and runs its migrations. Creates the database if it is missing. */
  readonly open: <Tables>(
    name: string,
    migrations: readonly Migrations[],
    applicationName: string,
  ) => Promise<Database<Tables>>;
  /** Ends what is under way, also an `open`. A repeated call waits for the first. */
  readonly stop: () => Promise<void>;
}
export interface StorageOptions {
  /** A postgresql:// URL; without it the embedded PostgreSQL starts in `dataDir`. */
  readonly url: string | undefined;
  /** The variable that holds the URL; errors name it. */
  readonly urlVariable: string;
  readonly dataDir: string;
  /** Called with each start of the embedded PostgreSQL, and each unexpected end. */
  readonly log?: (message: string) => void;
  /** Called if the embedded PostgreSQL ended unexpectedly and does not stay up. */
  readonly onGone?: (error: Error) => void;
}

/** Connects to PostgreSQL or starts it. Throws a UserError with advice. */
export async function openStorage({
  url,
  urlVariable,
  dataDir,
  ...hooks
}: StorageOptions): Promise<Storage> {
  if (url !== undefined && !/^postgres(ql)?:\/\/./.test(url))
    throw new UserError(`${urlVariable} must look like postgresql://user:password@host:5432/name.`);
  if (url !== undefined) checkUrl(url, urlVariable);
  const embedded =
    url === undefined
      ? await startPostgres({ dataDir, ...hooks }).catch(
          about(
            'BELLHOP_DATA_DIR',
            `. Or set ${urlVariable} to the URL of a PostgreSQL 15 or newer.`,
          ),
        )
      : undefined;
  const base = embedded?.url ?? url ?? '';
  const opened: Database<unknown>[] = [];
  const failed = embedded
    ? rethrowAsUserError
    : about(urlVariable, '. Check that PostgreSQL runs there and that the URL is right.');
  const stopping = new AbortController();
  const stop = async () => {
    stopping.abort();
    for (const db of opened) await db.close();
    await embedded?.stop();
  };
  let stopped: Promise<void> | undefined;
  return {
    url: base,
    open: async (name, migrations, applicationName) => {
      const target = await withDatabase(base, name, url !== undefined).catch(failed);
      const db = await openDatabase<never>(target, {
        applicationName,
        maxConnections: 16,
        signal: stopping.signal,
      }).catch(failed);
      opened.push(db as unknown as Database<unknown>);
      const setting = url === undefined ? 'BELLHOP_DATA_DIR' : urlVariable;
      await migrate(db, ...migrations).catch((error: unknown) => {
        if (error instanceof ForeignDatabase)
          throw new UserError(`${setting}: ${error.message}. Nothing was changed.`);
        return rethrowAsUserError(error);
      });
      return db as never;
    },
    stop: () => (stopped ??= stop()),
  };
}

function checkUrl(url: string, variable: string): void {
  try {
    checkedDatabaseUrl(url);
  } catch (error) {
    throw new UserError(`${variable}: ${(error as Error).message}.`);
  }
}

/** Rethrows an error as a UserError that names the setting to look at, and ends with `advice`. */
const about =
  (setting: string, advice = '') =>
  (error: unknown) => {
    if (error instanceof UserError || !(error instanceof Error)) return rethrowAsUserError(error);
    const isReached = error.cause instanceof UnsuitableDatabase;
    throw new UserError(`${setting}: ${error.message}${isReached ? '.' : advice}`, {
      cause: error,
    });
  };

/** Creates a database if it is missing; returns its URL. `''` is the database of `base`, others are named after it. */
async function withDatabase(base: string, name: string, isOwn: boolean): Promise<string> {
  const url = new URL(base);
  const first = url.pathname.slice(1);
  const wanted = name === '' ? first : `${first}_${name}`;
  if (wanted === first) return base;
  const db = await openDatabase<{ pg_database: { datname: string } }>(base, { maxConnections: 1 });
  try {
    const known = await db.kysely
      .selectFrom('pg_database')
      .select('datname')
      .where('datname', '=', wanted)
      .executeTakeFirst();
    if (!known) await create(db, wanted, isOwn);
  } finally {
    await db.close();
  }
  url.pathname = `/${wanted}`;
  return url.href;
}

async function create(
  db: Database<{ pg_database: { datname: string } }>,
  name: string,
  isOwn: boolean,
) {
  const { sql } = await import('kysely');
  try {
    await sql`create database ${sql.id(name)}`.execute(db.kysely);
  } catch (cause) {
    if (!isOwn) throw cause;
    throw new UserError(
      `The database ${name} is missing and could not be created (${(cause as Error).message}): create it, or use a role that may.`,
    );
  }
}

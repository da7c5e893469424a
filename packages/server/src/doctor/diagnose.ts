import {
  type Database,
  diagnoseDatabase,
  diagnoseEmbedded,
  failed,
  type Finding,
  type Migrations,
  ok,
  warning,
} from '@bellhop/postgres';
import { sql } from 'kysely';

import type { Config } from '../config.ts';
import { secretsOf, WrongSecretError } from '../engine/secrets.ts';
import type { Tables } from '../engine/tables.ts';
import { FileStoreFault } from '../files/file-store.ts';
import { createFiles } from '../files/files.ts';
import { hasObjects } from '../model/uploads/place-queries.ts';
import { requireSecret } from '../model/users/require-secret.ts';
import { checkAddresses } from './check-addresses.ts';
import { checkBouncer } from './check-bouncer.ts';
import { checkMail } from './check-mail.ts';

export interface DiagnoseOptions {
  readonly config: Config;
  /** DATABASE_URL; undefined: the embedded PostgreSQL is used. */
  readonly databaseUrl: string | undefined;
  readonly migrations: readonly Migrations[];
  /** Where the embedded PostgreSQL keeps its files. */
  readonly dataDir: string;
}

const named = { program: 'chat server', urlVariable: 'DATABASE_URL' } as const;

/**
 * Checks whether a server with this configuration would work. Changes nothing, except that it stores and
 * removes an object in the store of files, as a start does.
 */
export async function diagnose({
  config,
  databaseUrl: url,
  migrations,
  dataDir,
}: DiagnoseOptions): Promise<readonly Finding[]> {
  const checks = [
    checkAddresses(config),
    url === undefined
      ? diagnoseEmbedded(dataDir, named)
      : diagnoseDatabase<Tables>({ ...named, url, migrations }, (database) =>
          checkContent(database, config),
        ).then(({ findings }) => findings),
    checkMail(config),
    checkBouncer(config),
  ];
  return (await Promise.all(checks)).flat();
}

async function checkContent(
  { kysely }: Database<Tables>,
  config: Config,
): Promise<readonly Finding[]> {
  return [
    await checkSecret(kysely, config),
    await checkOrganizations(kysely),
    await checkFiles(kysely, config),
    await checkJobs(kysely),
  ];
}

type Rows = Database<Tables>['kysely'];

async function checkSecret(kysely: Rows, { secret }: Config): Promise<Finding> {
  try {
    await requireSecret(kysely, secretsOf(secret));
    return ok('secret', 'opens the keys in the database');
  } catch (error) {
    if (!(error instanceof WrongSecretError)) throw error;
    const [what = '', fix = ''] = error.message.split(/(?<=encrypted)\. /);
    return failed('secret', what, `${fix}.`);
  }
}

async function checkOrganizations(kysely: Rows): Promise<Finding> {
  const { rows } = await sql<{ active: number; all: number }>`
    select count(*)::int as all, (count(*) filter (where is_active))::int as active from realm`.execute(
    kysely,
  );
  const { active = 0, all = 0 } = rows[0] ?? {};
  if (all === 0)
    return warning(
      'organizations',
      'there is none: nobody can log in',
      'Start the server once with --owner E-MAIL, or import one ("bellhop realm import").',
    );
  return ok(
    'organizations',
    all === active ? `${all}` : `${all}, ${all - active} of them deactivated`,
  );
}

async function checkFiles(kysely: Rows, { files: settings }: Config): Promise<Finding> {
  const check = 'files';
  const files = createFiles(settings);
  try {
    if (!files.storesObjects && !(await hasObjects(kysely))) return ok(check, 'in the database');
    await files.objects().check();
    return ok(check, `the store takes, returns and removes them, at ${placeOf(settings)}`);
  } catch (error) {
    if (!(error instanceof FileStoreFault)) throw error;
    const fix = error.isPassing
      ? 'Check BELLHOP_S3_ENDPOINT, and that the store runs. The chat goes on without it; uploads and downloads wait.'
      : 'The server does not start so: check the BELLHOP_S3_ variables, and the rights of their key.';
    return failed(check, error.message, fix);
  } finally {
    await files.close();
  }
}

const placeOf = ({ s3 }: Config['files']): string =>
  s3 ? `${s3.endpoint ?? `Amazon S3, ${s3.region}`}, bucket ${s3.bucket}` : '';

async function checkJobs(kysely: Rows): Promise<Finding> {
  const { rows } = await sql<{ lane: string; count: number }>`
    select lane, count(*)::int as count from job
    where state = 'queued' and due_at < now() - interval '10 minutes'
    group by lane order by lane`.execute(kysely);
  if (rows.length === 0)
    return ok('jobs', 'none is more than ten minutes late: mails, webhooks and pushes go out');
  return warning(
    'jobs',
    `more than ten minutes late: ${rows.map(({ lane, count }) => `${count} of the lane ${lane}`).join(', ')}`,
    'Start a server, if none runs; else its log says why they wait.',
  );
}

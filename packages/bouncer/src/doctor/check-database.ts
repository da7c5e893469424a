import {
  type Database,
  diagnoseDatabase,
  failed,
  type Finding,
  type Migrations,
  ok,
  warning,
} from '@bellhop/postgres';
import { sql } from 'kysely';

import type { BouncerConfig } from '../config/bouncer-config.ts';
import { keyPairsOf } from '../keys/key-pairs.ts';
import { openKeyRing } from '../keys/key-ring.ts';
import type { BouncerTables } from '../storage/tables.ts';

const silent = { error: () => {}, warn: () => {} };

export interface DatabaseChecks {
  readonly config: BouncerConfig;
  readonly url: string;
  readonly migrations: readonly Migrations[];
}

/** Where the database of a bouncer is named. */
export const named = {
  program: 'bouncer',
  urlVariable: 'BELLHOP_BOUNCER_DATABASE_URL',
} as const;

/** Checks that the database can be reached and is as this version needs it. Changes nothing. */
export async function checkDatabase({
  config,
  url,
  migrations,
}: DatabaseChecks): Promise<readonly Finding[]> {
  const { findings, isCurrent } = await diagnoseDatabase<BouncerTables>(
    { ...named, url, migrations },
    async (database) => [await checkKeys(database, config), await checkQueue(database)],
  );
  return isCurrent ? findings : [...findings, describeKeys(keyPairsOf(config.keys).size)];
}

const NO_KEY = 'Run "bellhop bouncer keys first", or set BELLHOP_BOUNCER_KEYS.';

async function checkKeys(
  { kysely }: Database<BouncerTables>,
  { keys, encryptionKeys }: BouncerConfig,
): Promise<Finding> {
  try {
    const ring = await openKeyRing({ kysely, keys, encryptionKeys, log: silent });
    return describeKeys((await ring.current()).size);
  } catch (error) {
    const fix = 'docs/bouncer/operations.md says how to go on without it.';
    return failed('keys', error instanceof Error ? error.message : String(error), fix);
  }
}

const describeKeys = (count: number): Finding =>
  count === 0
    ? failed('keys', 'there is no key pair: no phone can register', NO_KEY)
    : ok('keys', `${count} key ${count === 1 ? 'pair' : 'pairs'} for registrations`);

async function checkQueue({ kysely }: Database<BouncerTables>): Promise<Finding> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from job
    where name like 'bouncer.push%' and state = 'queued'
      and created_at < now() - interval '10 minutes'`.execute(kysely);
  const count = rows[0]?.count ?? 0;
  return count === 0
    ? ok('queue', 'no notification has waited for more than ten minutes')
    : warning(
        'queue',
        `${count} notifications have waited for more than ten minutes`,
        '"bellhop bouncer queue list --state waiting" lists them with their reasons.',
      );
}

import { UserError, valueFlag } from '@bellhop/bot-cli/command-line';
import type { Database, Transaction } from '@bellhop/postgres';
import type { RealmId } from '@bellhop/protocol';
import type { Tables } from '@bellhop/server/provision';

import { withServerDatabase } from '../server/with-server-database.ts';

/** The part of the help that the commands of an organization have in common. */
export const realmEnvironment = `The servers notice it within a second. With the embedded PostgreSQL, stop the server first.

Environment:
  DATABASE_URL               the database of the server; without it the one in BELLHOP_DATA_DIR
  BELLHOP_DATA_DIR           where the embedded PostgreSQL keeps its files (default .bellhop-server)`;

/** The same for the commands that move one, which the servers need not notice. */
export const movingEnvironment = `With the embedded PostgreSQL, stop the server first.

Environment:
  DATABASE_URL               the database of the server; without it the one in BELLHOP_DATA_DIR
  BELLHOP_DATA_DIR           where the embedded PostgreSQL keeps its files (default .bellhop-server)
  BELLHOP_SECRET, BELLHOP_EXTERNAL_URL, BELLHOP_S3_... if it has them
                             as the server has them`;

export const subdomainFlag = valueFlag(
  'Subdomain of the organization; the default one if left out',
  'name',
  String,
  '',
);

interface OpenRealm {
  readonly tx: Transaction<Tables>;
  readonly realm: { readonly id: RealmId; readonly name: string };
}

/** Runs `work` with the server's database. Throws a UserError if there is none. */
export const withDatabase = <T>(work: (db: Database<Tables>) => Promise<T>): Promise<T> =>
  withServerDatabase('bellhop-realm', work);

/** The organization of a subdomain. Throws a UserError for an unknown one. */
export async function findRealm(
  db: Database<Tables>,
  subdomain: string,
): Promise<OpenRealm['realm']> {
  const named = await db.kysely
    .selectFrom('realm_name')
    .select('id')
    .where('subdomain', '=', subdomain)
    .executeTakeFirst();
  if (!named)
    throw new UserError(
      subdomain === ''
        ? 'There is no default organization in this database. --subdomain names another one.'
        : `There is no organization with the subdomain "${subdomain}".`,
    );
  return db.kysely
    .selectFrom('realm')
    .select(['id', 'name'])
    .where('id', '=', named.id)
    .executeTakeFirstOrThrow();
}

/**
 * Runs `work` in a transaction of the server's database, with the organization of a subdomain. Throws
 * a UserError for an unknown one.
 */
export const inRealm = <T>(subdomain: string, work: (open: OpenRealm) => Promise<T>): Promise<T> =>
  withDatabase(async (db) => {
    const realm = await findRealm(db, subdomain);
    return db.transaction((tx) => work({ tx, realm }));
  });

import type { RealmDomain, RealmId } from '@bellhop/protocol';
import type { Generated } from 'kysely';

import type { Db, Tx } from '../../engine/call.ts';
import { removesRow } from '../removes-row.ts';

declare module '../../engine/tables.ts' {
  interface Tables {
    realm_domain: {
      realm_id: RealmId;
      id: Generated<number>;
      domain: string;
      allow_subdomains: boolean;
    };
  }
}

/** The allowed e-mail domains of a realm, oldest first. */
export const ofRealm = (db: Db, realm_id: RealmId): Promise<RealmDomain[]> =>
  db
    .selectFrom('realm_domain')
    .select(['domain', 'allow_subdomains'])
    .where('realm_id', '=', realm_id)
    .orderBy('id')
    .execute();

/** Returns the ID. Undefined if the realm has the domain. */
export async function insert(
  tx: Tx,
  realm_id: RealmId,
  realmDomain: RealmDomain,
): Promise<number | undefined> {
  const row = await tx
    .insertInto('realm_domain')
    .values({ realm_id, ...realmDomain })
    .onConflict((same) => same.columns(['realm_id', 'domain']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

/** Whether the realm has the domain. */
export async function update(
  tx: Tx,
  realm_id: RealmId,
  { domain, allow_subdomains }: RealmDomain,
): Promise<boolean> {
  const updated = await tx
    .updateTable('realm_domain')
    .set({ allow_subdomains })
    .where('realm_id', '=', realm_id)
    .where('domain', '=', domain)
    .returning('id')
    .executeTakeFirst();
  return updated !== undefined;
}

/** Whether the realm had the domain. */
export const remove = (tx: Tx, realm_id: RealmId, domain: string): Promise<boolean> =>
  removesRow(
    tx.deleteFrom('realm_domain').where('realm_id', '=', realm_id).where('domain', '=', domain),
  );

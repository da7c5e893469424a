import type { Linkifier, LinkifierId, RealmId } from '@bellhop/protocol';
import { sql, type Generated } from 'kysely';

import type { Db, Tx } from '../../engine/call.ts';
import { removesRow } from '../removes-row.ts';

declare module '../../engine/tables.ts' {
  interface Tables {
    linkifier: {
      realm_id: RealmId;
      id: Generated<LinkifierId>;
      position: number;
      pattern: string;
      url_template: string;
    };
  }
}

type Rule = Pick<Linkifier, 'pattern' | 'url_template'>;

/** The linkifiers of a realm in the order in which they apply. */
export const ofRealm = (db: Db, realm_id: RealmId): Promise<Linkifier[]> =>
  db
    .selectFrom('linkifier')
    .select(['id', 'pattern', 'url_template'])
    .where('realm_id', '=', realm_id)
    .orderBy('position')
    .orderBy('id')
    .execute();

/** Adds a linkifier at the end. */
export async function insert(
  tx: Tx,
  realm_id: RealmId,
  { pattern, url_template }: Rule,
): Promise<LinkifierId> {
  const { position } = await tx
    .selectFrom('linkifier')
    .select(sql<number>`coalesce(max(position), 0) + 1`.as('position'))
    .where('realm_id', '=', realm_id)
    .executeTakeFirstOrThrow();
  const { id } = await tx
    .insertInto('linkifier')
    .values({ realm_id, position, pattern, url_template })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function update(
  tx: Tx,
  realm_id: RealmId,
  { id, pattern, url_template }: Linkifier,
): Promise<void> {
  await tx
    .updateTable('linkifier')
    .set({ pattern, url_template })
    .where('realm_id', '=', realm_id)
    .where('id', '=', id)
    .execute();
}

/** Whether there was such a linkifier. */
export const remove = (tx: Tx, realm_id: RealmId, id: LinkifierId): Promise<boolean> =>
  removesRow(tx.deleteFrom('linkifier').where('realm_id', '=', realm_id).where('id', '=', id));

export async function reorder(
  tx: Tx,
  realm_id: RealmId,
  ids: readonly LinkifierId[],
): Promise<void> {
  await sql`update linkifier l set position = o.position
    from unnest(${[...ids]}::bigint[]) with ordinality o (id, position)
    where l.realm_id = ${realm_id} and l.id = o.id`.execute(tx);
}

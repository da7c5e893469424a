import type { Playground, PlaygroundId, RealmId } from '@bellhop/protocol';
import type { Generated } from 'kysely';

import type { Db, Tx } from '../../engine/call.ts';
import { removesRow } from '../removes-row.ts';

declare module '../../engine/tables.ts' {
  interface Tables {
    playground: {
      realm_id: RealmId;
      id: Generated<PlaygroundId>;
      name: string;
      highlighter_language: string;
      url_template: string;
    };
  }
}

/** The code playgrounds of a realm, oldest first. */
export const ofRealm = (db: Db, realm_id: RealmId): Promise<Playground[]> =>
  db
    .selectFrom('playground')
    .select([
      'id',
      'name',
      'highlighter_language',
      'highlighter_language as pygments_language',
      'url_template',
    ])
    .where('realm_id', '=', realm_id)
    .orderBy('id')
    .execute();

/** Undefined if the realm has a playground with this language and name. */
export async function insert(
  tx: Tx,
  realm_id: RealmId,
  playground: Pick<Playground, 'name' | 'highlighter_language' | 'url_template'>,
): Promise<PlaygroundId | undefined> {
  const { name, highlighter_language, url_template } = playground;
  const row = await tx
    .insertInto('playground')
    .values({ realm_id, name, highlighter_language, url_template })
    .onConflict((same) => same.columns(['realm_id', 'highlighter_language', 'name']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

/** Whether there was such a playground. */
export const remove = (tx: Tx, realm_id: RealmId, id: PlaygroundId): Promise<boolean> =>
  removesRow(tx.deleteFrom('playground').where('realm_id', '=', realm_id).where('id', '=', id));

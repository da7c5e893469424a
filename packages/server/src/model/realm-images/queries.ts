import type { RealmId } from '@bellhop/protocol';
import { sql } from 'kysely';

import type { Db, Tx } from '../../engine/call.ts';
import type { Realm } from '../../engine/caller.ts';
import { type RealmImage, type RealmImageKind, realmImage } from './image-urls.ts';

declare module '../../engine/tables.ts' {
  interface Tables {
    realm_image: {
      realm_id: RealmId;
      kind: RealmImageKind;
      version: number;
      bytes: Buffer | null;
    };
  }
}

/** The icon and the logos of a realm. */
export async function ofRealm(
  db: Db,
  realm: Pick<Realm, 'id' | 'url'>,
): Promise<Record<RealmImageKind, RealmImage>> {
  const rows = await db
    .selectFrom('realm_image')
    .select(['kind', 'version'])
    .where('realm_id', '=', realm.id)
    .where('bytes', 'is not', null)
    .execute();
  const versions = new Map(rows.map(({ kind, version }) => [kind, version]));
  const image = (kind: RealmImageKind) => realmImage(realm, kind, versions.get(kind));
  return { icon: image('icon'), logo: image('logo'), night_logo: image('night_logo') };
}

export const imageOf = (db: Db, realm_id: RealmId, kind: RealmImageKind) =>
  db
    .selectFrom('realm_image')
    .select(['bytes', 'version'])
    .where('realm_id', '=', realm_id)
    .where('kind', '=', kind)
    .executeTakeFirst();

/** Browsers keep images by this number: a sequence repeats none after a restore. */
const nextVersion = sql<number>`nextval('realm_image_version')`;

/** Stores an image in place of an earlier one. */
export async function replace(
  tx: Tx,
  realm_id: RealmId,
  { kind, bytes }: { readonly kind: RealmImageKind; readonly bytes: Buffer },
): Promise<void> {
  await tx
    .insertInto('realm_image')
    .values({ realm_id, kind, bytes, version: nextVersion })
    .onConflict((same) =>
      same.columns(['realm_id', 'kind']).doUpdateSet({ bytes, version: sql`excluded.version` }),
    )
    .execute();
}

/** Whether there was an image to remove. */
export async function remove(tx: Tx, realm_id: RealmId, kind: RealmImageKind): Promise<boolean> {
  const removed = await tx
    .updateTable('realm_image')
    .set({ bytes: null })
    .where('realm_id', '=', realm_id)
    .where('kind', '=', kind)
    .where('bytes', 'is not', null)
    .returning('kind')
    .executeTakeFirst();
  return removed !== undefined;
}

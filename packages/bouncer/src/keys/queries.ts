import { type Kysely, type Selectable, sql } from 'kysely';

import type { BouncerTables, RegistrationKeyTable } from '../storage/tables.ts';

type Db = Kysely<BouncerTables>;
export type StoredKey = Selectable<RegistrationKeyTable>;

/** All stored keys, the retired ones among them, the newest last. */
export const storedKeys = (db: Db): Promise<StoredKey[]> =>
  db.selectFrom('registration_key').selectAll().orderBy('number').execute();

interface NewKey {
  readonly publicKey: string;
  readonly sealedSecret: Buffer;
  readonly at: Date;
}

/** Stores a key, also one that was retired. False if it is stored already. */
export async function storeKey(db: Db, { publicKey, sealedSecret, at }: NewKey): Promise<boolean> {
  const stored = await db
    .insertInto('registration_key')
    .values({
      public_key: publicKey,
      sealed_secret: sealedSecret,
      created_at: at,
      retired_at: null,
    })
    .onConflict((conflict) =>
      conflict
        .column('public_key')
        .doUpdateSet({ sealed_secret: sealedSecret, retired_at: null })
        .where('registration_key.retired_at', 'is not', null),
    )
    .returning('public_key')
    .executeTakeFirst();
  return stored !== undefined;
}

/** Deletes the private key; the public one stays, so that the configuration cannot bring it back. */
export const retireKey = (db: Db, publicKey: string, at: Date): Promise<unknown> =>
  db
    .insertInto('registration_key')
    .values({ public_key: publicKey, sealed_secret: null, created_at: at, retired_at: at })
    .onConflict((conflict) =>
      conflict.column('public_key').doUpdateSet({ sealed_secret: null, retired_at: at }),
    )
    .execute();

export const resealKey = (db: Db, publicKey: string, sealedSecret: Buffer): Promise<unknown> =>
  db
    .updateTable('registration_key')
    .set({ sealed_secret: sealedSecret })
    .where('public_key', '=', publicKey)
    .where('retired_at', 'is', null)
    .execute();

interface KeyUse {
  readonly public_key: string;
  /** Living devices whose latest registration was sealed for the key. */
  readonly devices: number;
  /** UNIX milliseconds. */
  readonly last_registration: number;
}

/** The use of each key that has living devices. */
export const keyUses = (db: Db): Promise<KeyUse[]> =>
  db
    .selectFrom('device')
    .select([
      'bouncer_public_key as public_key',
      sql<number>`count(*)`.as('devices'),
      sql<number>`max(registered_at)`.as('last_registration'),
    ])
    .where('expired_at', 'is', null)
    .groupBy('bouncer_public_key')
    .execute();

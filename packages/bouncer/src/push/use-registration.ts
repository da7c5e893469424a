import { createHash } from 'node:crypto';

import type { PushAccountId } from '@bellhop/protocol';
import { type Kysely, sql } from 'kysely';

import type { BouncerTables } from '../tables.ts';

/** Longer than a registration can be valid: a day, and a day by which the phone's clock may be ahead. */
const KEEP_MS = 3 * 86_400_000;

export interface UsedRegistration {
  /** The sealed registration. */
  readonly sealed: string;
  readonly realmUuid: string;
  readonly pushAccountId: PushAccountId;
  readonly at: Date;
}

/**
 * Binds each sealed registration to the account that registers with it first; the same account may repeat
 * it. Returns of each whether it belongs to its account.
 */
export async function useRegistrations(
  db: Kysely<BouncerTables>,
  registrations: readonly UsedRegistration[],
): Promise<boolean[]> {
  const rows = registrations.map(({ sealed, realmUuid, pushAccountId, at }) => ({
    registration_hash: sha256(sealed),
    account_hash: sha256(`${realmUuid} ${pushAccountId}`),
    used_at: at,
  }));
  await db
    .insertInto('used_registration')
    .values(rows)
    .onConflict((conflict) => conflict.column('registration_hash').doNothing())
    .execute();
  const hashes = rows.map(({ registration_hash }) => registration_hash);
  const used = await db
    .selectFrom('used_registration')
    .select(['registration_hash', 'account_hash'])
    .where(sql<boolean>`registration_hash = any(${hashes}::bytea[])`)
    .execute();
  const accountOf = new Map(
    used.map((row) => [row.registration_hash.toString('base64'), row.account_hash]),
  );
  return rows.map(
    ({ registration_hash, account_hash }) =>
      accountOf.get(registration_hash.toString('base64'))?.equals(account_hash) ?? false,
  );
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Deletes the records of registrations that have expired. */
export const deleteExpiredRegistrations = (
  db: Kysely<BouncerTables>,
  nowMs: number,
): Promise<unknown> =>
  db
    .deleteFrom('used_registration')
    .where('used_at', '<', new Date(nowMs - KEEP_MS))
    .execute();

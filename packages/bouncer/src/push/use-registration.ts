import { createHash } from 'node:crypto';

import { badRequest, type PushAccountId } from '@bellhop/protocol';
import type { Kysely } from 'kysely';

import type { BouncerTables } from '../tables.ts';

/** Longer than a registration can be valid: a day, and a day by which the phone's clock may be ahead. */
const KEEP_MS = 3 * 86_400_000;

interface UsedBy {
  readonly realmUuid: string;
  readonly pushAccountId: PushAccountId;
  readonly at: Date;
}

/**
 * Binds a sealed registration to the account that registers with it first; the same account may repeat it.
 * Throws BAD_REQUEST for another account.
 */
export async function useRegistration(
  db: Kysely<BouncerTables>,
  sealed: string,
  { realmUuid, pushAccountId, at }: UsedBy,
): Promise<void> {
  const registration_hash = sha256(sealed);
  const account_hash = sha256(`${realmUuid} ${pushAccountId}`);
  await db
    .insertInto('used_registration')
    .values({ registration_hash, account_hash, used_at: at })
    .onConflict((conflict) => conflict.column('registration_hash').doNothing())
    .execute();
  const used = await db
    .selectFrom('used_registration')
    .select('account_hash')
    .where('registration_hash', '=', registration_hash)
    .executeTakeFirst();
  if (used?.account_hash.equals(account_hash)) return;
  throw badRequest('Invalid encrypted_push_registration: another account has registered with it');
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

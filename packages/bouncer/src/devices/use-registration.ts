import { hash } from 'node:crypto';

import { type CompiledQuery, type Kysely, sql } from 'kysely';

import type { DeviceName } from '../storage/device-name.ts';
import { DAY_MS, type Sweep } from '../storage/sweep.ts';
import type { BouncerTables } from '../storage/tables.ts';

/** Longer than a registration can be valid: a day, and a day by which the phone's clock may be ahead. */
const KEEP_MS = 3 * DAY_MS;

export interface UsedRegistration {
  /** The sealed registration. */
  readonly sealed: string;
  readonly realmUuid: string;
  readonly name: DeviceName;
  readonly at: Date;
}

/** The hashes of a row of `used_registration`. */
export interface RegistrationHashes {
  readonly registration: Buffer;
  readonly account: Buffer;
}

export const useOf = ({
  sealed,
  realmUuid,
  name,
}: Omit<UsedRegistration, 'at'>): RegistrationHashes => ({
  registration: sha256(sealed),
  account: sha256(`${realmUuid} ${name.tokenId ?? name.pushAccountId}`),
});

const sha256 = (text: string): Buffer => hash('sha256', text, 'buffer');

/**
 * Binds each sealed registration to the name that registers with it first, in its realm: an account, or a
 * token. The same name may repeat it.
 */
export const bindRegistrations = (
  db: Kysely<BouncerTables>,
  uses: readonly (RegistrationHashes & Pick<UsedRegistration, 'at'>)[],
): CompiledQuery =>
  // The same order in every node, so that two batches do not wait for each other.
  sql`
    insert into used_registration (registration_hash, account_hash, used_at)
    select * from unnest(
      ${uses.map(({ registration }) => registration)}::bytea[],
      ${uses.map(({ account }) => account)}::bytea[],
      ${uses.map(({ at }) => at)}::timestamptz[]
    ) as used (registration_hash, account_hash, used_at)
    order by registration_hash
    on conflict (registration_hash) do nothing`.compile(db);

/** Deletes the records of registrations that have expired. */
export const sweepRegistrations: Sweep = ({ db, now }) =>
  db
    .deleteFrom('used_registration')
    .where('used_at', '<', new Date(now - KEEP_MS))
    .execute();

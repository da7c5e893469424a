import type { PushRegistration } from '@bellhop/protocol/bouncer';
import { type CompiledQuery, type Kysely, type Selectable, sql } from 'kysely';

import { type DeviceName, tokenIdBytes } from '../storage/device-name.ts';
import type { BouncerTables, DeviceTable } from '../storage/tables.ts';
import type { RegistrationHashes } from './use-registration.ts';

type Db = Kysely<BouncerTables>;

/** A device that is registered. */
export interface NewDevice {
  readonly realmUuid: string;
  readonly name: DeviceName;
  readonly registration: PushRegistration;
  readonly tokenHash: Buffer;
  readonly bouncerPublicKey: string;
  /** UNIX milliseconds. */
  readonly registeredAt: number;
}

type SavedDevice = Pick<
  Selectable<DeviceTable>,
  'device_id' | 'realm_uuid' | 'push_account_id' | 'token_id' | 'token_hash'
>;

/** By what names a device: its unique key. */
const uniqueKeys = {
  pushAccountId: sql`(realm_uuid, push_account_id, token_hash)`,
  tokenId: sql`(realm_uuid, token_id) where token_id is not null`,
} as const;

/**
 * Inserts devices, or revives those with their tokens and names; not those whose registration another name
 * has used. All are named alike, and no two have the same key. A token_id is of one token, but an app may have
 * registered it as another token_kind by mistake: the newer registration is right.
 */
export const saveDevices = (
  db: Db,
  namedBy: keyof typeof uniqueKeys,
  devices: readonly (NewDevice & { readonly use: RegistrationHashes })[],
): CompiledQuery<SavedDevice> => {
  const registrations = devices.map(({ registration }) => registration);
  return sql<SavedDevice>`
    insert into device (realm_uuid, push_account_id, token_id, token_hash, token, token_kind, ios_app_id,
      android_app_id, webpush_keys, bouncer_public_key, registered_at)
    select realm_uuid, push_account_id, token_id, token_hash, token, token_kind, ios_app_id,
      android_app_id, webpush_keys, bouncer_public_key, registered_at
    from unnest(
      ${devices.map(({ use }) => use.registration)}::bytea[],
      ${devices.map(({ use }) => use.account)}::bytea[],
      ${devices.map(({ realmUuid }) => realmUuid)}::uuid[],
      ${devices.map(({ name }) => name.pushAccountId ?? null)}::bigint[],
      ${devices.map(({ name: { tokenId } }) => (tokenId === undefined ? null : tokenIdBytes(tokenId)))}::bytea[],
      ${devices.map(({ tokenHash }) => tokenHash)}::bytea[],
      ${registrations.map(({ token }) => token)}::text[],
      ${registrations.map(({ token_kind }) => token_kind)}::text[],
      ${registrations.map(({ ios_app_id }) => ios_app_id ?? null)}::text[],
      ${registrations.map(({ android_app_id }) => android_app_id ?? null)}::text[],
      ${registrations.map(({ webpush_keys }) => webpush_keys && JSON.stringify(webpush_keys))}::jsonb[],
      ${devices.map(({ bouncerPublicKey }) => bouncerPublicKey)}::text[],
      ${devices.map(({ registeredAt }) => registeredAt)}::bigint[]
    ) as fresh (registration_hash, account_hash, realm_uuid, push_account_id, token_id, token_hash, token,
      token_kind, ios_app_id, android_app_id, webpush_keys, bouncer_public_key, registered_at)
    where account_hash = (select account_hash from used_registration as used
      where used.registration_hash = fresh.registration_hash)
    order by realm_uuid, push_account_id, token_id, token_hash
    on conflict ${uniqueKeys[namedBy]} do update set
      token = excluded.token,
      token_hash = excluded.token_hash,
      token_kind = excluded.token_kind,
      environment = case when device.token_hash = excluded.token_hash then device.environment end,
      ios_app_id = excluded.ios_app_id,
      android_app_id = excluded.android_app_id,
      webpush_keys = excluded.webpush_keys,
      bouncer_public_key = excluded.bouncer_public_key,
      registered_at = greatest(device.registered_at, excluded.registered_at),
      expired_at = null,
      quarantined_until = null,
      quarantined_since = null,
      is_doubted = false,
      is_mismatched = false
      where device.token_hash = excluded.token_hash
        or (device.token_kind <> excluded.token_kind and device.registered_at < excluded.registered_at)
    returning device_id, realm_uuid, push_account_id, token_id, token_hash`.compile(db);
};

/** The unique key of a device, as text. */
export const keyOf = ({ realmUuid, name, tokenHash }: NewDevice): string =>
  name.tokenId === undefined
    ? `${realmUuid} ${name.pushAccountId} ${tokenHash.toString('base64')}`
    : `${realmUuid} ${name.tokenId}`;

/** The unique key of a stored device, as text. */
export const keyOfSaved = ({
  realm_uuid,
  push_account_id,
  token_id,
  token_hash,
}: Omit<SavedDevice, 'device_id'>): string =>
  token_id === null
    ? `${realm_uuid} ${push_account_id} ${token_hash.toString('base64')}`
    : `${realm_uuid} ${token_id.toString('base64')}`;

/** For each device, the living devices of its realm with its token. */
export const devicesWithTokens = (
  db: Db,
  devices: readonly Pick<NewDevice, 'realmUuid' | 'tokenHash'>[],
): CompiledQuery<{ readonly device_ids: number[] }> =>
  // For a join, PostgreSQL may read all devices; for a subquery it uses the index.
  sql<{ device_ids: number[] }>`
    select array(
      select device_id from device
      where realm_uuid = asked.realm_uuid and token_hash = asked.token_hash and expired_at is null
      order by device_id
    ) as device_ids
    from unnest(
      ${devices.map(({ realmUuid }) => realmUuid)}::uuid[],
      ${devices.map(({ tokenHash }) => tokenHash)}::bytea[]
    ) with ordinality as asked (realm_uuid, token_hash, place)
    order by place`.compile(db);

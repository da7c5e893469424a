import { createHash } from 'node:crypto';

import type { PushAccountId, PushRegistration } from '@bellhop/protocol';
import { type Insertable, type Kysely, type Selectable, sql } from 'kysely';

import { appOfDevice } from '../health/guard-queries.ts';
import type { Environment } from '../providers/sender-config.ts';
import type { BouncerTables, DeviceTable } from '../tables.ts';

export type Device = Selectable<DeviceTable>;
type Db = Kysely<BouncerTables>;

export const QUARANTINE_SECONDS = 3_600;

export const tokenHash = ({ token, token_kind }: Pick<Device, 'token' | 'token_kind'>) =>
  createHash('sha256').update(`${token_kind}:${token}`).digest();

/** Stands for the token in logs. */
export const shortHash = (device: Pick<Device, 'token' | 'token_kind'>): string =>
  tokenHash(device).toString('hex').slice(0, 12);

export interface NewDevice {
  readonly realmUuid: string;
  readonly pushAccountId: PushAccountId;
  readonly registration: PushRegistration;
  readonly bouncerPublicKey: string;
  readonly registeredAt: number;
}

const newRow = (device: NewDevice): Insertable<DeviceTable> => {
  const { token, token_kind, ios_app_id, android_app_id, webpush_keys } = device.registration;
  return {
    realm_uuid: device.realmUuid,
    push_account_id: device.pushAccountId,
    token_hash: tokenHash({ token, token_kind }),
    token,
    token_kind,
    ios_app_id: ios_app_id ?? null,
    android_app_id: android_app_id ?? null,
    environment: null,
    bouncer_public_key: device.bouncerPublicKey,
    webpush_keys: webpush_keys ? JSON.stringify(webpush_keys) : null,
    registered_at: device.registeredAt,
    expired_at: null,
    quarantined_until: null,
    quarantined_since: null,
  };
};

/**
 * Inserts devices, or revives those with their tokens and accounts. Returns their ids, in their order. No two
 * may have the same token and account.
 */
export async function saveDevices(db: Db, devices: readonly NewDevice[]): Promise<number[]> {
  if (devices.length === 0) return [];
  const rows = await db
    .insertInto('device')
    .values(devices.map(newRow))
    .onConflict((conflict) =>
      conflict.columns(['realm_uuid', 'push_account_id', 'token_hash']).doUpdateSet((eb) => ({
        ios_app_id: eb.ref('excluded.ios_app_id'),
        bouncer_public_key: eb.ref('excluded.bouncer_public_key'),
        webpush_keys: eb.ref('excluded.webpush_keys'),
        android_app_id: eb.ref('excluded.android_app_id'),
        registered_at: sql<number>`greatest(device.registered_at, excluded.registered_at)`,
        expired_at: null,
        quarantined_until: null,
        quarantined_since: null,
        is_doubted: false,
      })),
    )
    .returning(['device_id', 'realm_uuid', 'push_account_id', 'token_hash'])
    .execute();
  const ids = new Map(rows.map((row) => [accountToken(row), row.device_id]));
  return devices.map((device) => {
    const id = ids.get(accountToken(newRow(device)));
    if (id === undefined) throw new Error('a saved device has no ID');
    return id;
  });
}

/** What a device is unique by, as text. */
export const accountToken = ({
  realm_uuid,
  push_account_id,
  token_hash,
}: Pick<Insertable<DeviceTable>, 'realm_uuid' | 'token_hash'> & {
  readonly push_account_id: number | bigint;
}): string => `${realm_uuid} ${push_account_id} ${token_hash.toString('base64')}`;

interface RegisteredToken {
  readonly realmUuid: string;
  readonly deviceId: number;
  readonly registration: PushRegistration;
}

/** Of each device, the other living devices of its realm that have its token. */
export async function sameTokenDevices(
  db: Db,
  devices: readonly RegisteredToken[],
): Promise<number[][]> {
  if (devices.length === 0) return [];
  const hashes = devices.map(({ registration }) => tokenHash(registration));
  const rows = await db
    .selectFrom('device')
    .select(['realm_uuid', 'token_hash', 'device_id'])
    .where(
      sql<boolean>`(realm_uuid, token_hash) in (select * from unnest(
        ${devices.map(({ realmUuid }) => realmUuid)}::uuid[], ${hashes}::bytea[]))`,
    )
    .where('expired_at', 'is', null)
    .execute();
  return devices.map(({ realmUuid, deviceId }, index) =>
    rows
      .filter(
        (row) =>
          row.realm_uuid === realmUuid &&
          hashes[index]?.equals(row.token_hash) &&
          row.device_id !== deviceId,
      )
      .map(({ device_id }) => device_id),
  );
}

/** Those of the given devices that belong to the realm and are alive, by id. */
export async function livingDevices(
  db: Db,
  realmUuid: string,
  deviceIds: readonly number[],
): Promise<Map<number, Device>> {
  if (deviceIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('device')
    .selectAll()
    .where('realm_uuid', '=', realmUuid)
    .where('expired_at', 'is', null)
    .where(sql<boolean>`device_id = any(${[...new Set(deviceIds)]}::bigint[])`)
    .execute();
  return new Map(rows.map((device) => [device.device_id, device]));
}

/** The device, unless it is dead. */
export async function livingDevice(
  db: Db,
  realmUuid: string,
  deviceId: number,
): Promise<Device | undefined> {
  return (await livingDevices(db, realmUuid, [deviceId])).get(deviceId);
}

/** Up to `limit` devices of the realm with IDs above `after`, in their order. */
export const devicesAfter = (
  db: Db,
  realmUuid: string,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<Device[]> =>
  db
    .selectFrom('device')
    .selectAll()
    .where('realm_uuid', '=', realmUuid)
    .where('device_id', '>', after)
    .orderBy('device_id')
    .limit(limit)
    .execute();

/**
 * Deletes a device. A notification that waits for it is not sent: it ends with its next attempt. False
 * if the realm has no such device.
 */
export async function removeDevice(db: Db, realmUuid: string, deviceId: number): Promise<boolean> {
  const removed = await db
    .deleteFrom('device')
    .where('realm_uuid', '=', realmUuid)
    .where('device_id', '=', deviceId)
    .returning('device_id')
    .executeTakeFirst();
  return removed !== undefined;
}

/** Marks devices as dead, except devices registered again since they were read. */
export async function expire(db: Db, devices: readonly Device[], at: Date): Promise<void> {
  if (devices.length > 0)
    await db
      .updateTable('device')
      .set({ expired_at: at })
      .where(unchanged(devices))
      .where('expired_at', 'is', null)
      .execute();
}

/** Skips devices for an hour, except devices registered again since they were read. */
export async function quarantine(db: Db, devices: readonly Device[], at: Date): Promise<void> {
  if (devices.length > 0)
    await db
      .updateTable('device')
      .set({
        quarantined_until: new Date(at.getTime() + QUARANTINE_SECONDS * 1_000),
        quarantined_since: sql`coalesce(quarantined_since, ${at})`,
        is_doubted: false,
      })
      .where(unchanged(devices))
      .execute();
}

/** Lets the notifications to a device wait, unless it was registered again since it was read. */
export const doubtDevice = (
  db: Db,
  device: Device,
  { now, seconds }: { readonly now: number; readonly seconds: number },
): Promise<unknown> =>
  db
    .updateTable('device')
    .set({
      quarantined_until: new Date(now + seconds * 1_000),
      quarantined_since: sql`coalesce(quarantined_since, ${new Date(now)})`,
      is_doubted: true,
    })
    .where(unchanged([device]))
    .execute();

/** Records that an environment of the provider accepted the token. */
export const settleDevice = (db: Db, device: Device, environment: Environment): Promise<unknown> =>
  db
    .updateTable('device')
    .set({
      environment,
      quarantined_until: null,
      quarantined_since: null,
      is_doubted: false,
    })
    .where(unchanged([device]))
    .execute();

/** Ends the quarantine of the devices of an app whose death was doubted. */
export const endDoubts = (db: Db, kind: Device['token_kind'], app: string): Promise<unknown> =>
  db
    .updateTable('device')
    .set({ quarantined_until: null, is_doubted: false })
    .where('token_kind', '=', kind)
    .where(sql<boolean>`${appOfDevice} = ${app}`)
    .where('expired_at', 'is', null)
    .where('is_doubted', '=', true)
    .execute();

const unchanged = (devices: readonly Device[]) =>
  sql<boolean>`(realm_uuid, device_id, registered_at) in (select * from unnest(
    ${devices.map(({ realm_uuid }) => realm_uuid)}::uuid[],
    ${devices.map(({ device_id }) => device_id)}::bigint[],
    ${devices.map(({ registered_at }) => registered_at)}::bigint[]))`;

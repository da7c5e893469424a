import { type Kysely, type Selectable, sql } from 'kysely';

import { tokenIdBytes } from '../storage/device-name.ts';
import { DAY_MS, type Sweep } from '../storage/sweep.ts';
import type { BouncerTables, DeviceTable, PushEnvironment } from '../storage/tables.ts';

export type Device = Selectable<DeviceTable>;
type Db = Kysely<BouncerTables>;

export const QUARANTINE_SECONDS = 3_600;

/** The same app as `appOf` of the providers. */
export const appOfDevice = sql<string>`coalesce(
  ios_app_id, android_app_id, substring(token from '^https://([^/?#]+)'), '')`;

interface AskedDevices {
  readonly deviceIds: readonly number[];
  readonly tokenIds?: readonly string[];
}

/** Selects the living devices of the realm among the given ones. */
export function livingAmong(db: Db, realmUuid: string, { deviceIds, tokenIds = [] }: AskedDevices) {
  const hasDeviceId = sql<boolean>`device_id = any(${[...new Set(deviceIds)]}::bigint[])`;
  const tokens = [...new Set(tokenIds)].map(tokenIdBytes);
  const hasTokenId = sql<boolean>`token_id = any(${tokens}::bytea[])`;
  const living = db
    .selectFrom('device')
    .selectAll()
    .where('realm_uuid', '=', realmUuid)
    .where('expired_at', 'is', null);
  if (tokens.length === 0) return living.where(hasDeviceId);
  return deviceIds.length === 0
    ? living.where(hasTokenId)
    : living.where((eb) => eb.or([hasDeviceId, hasTokenId]));
}

/** The device, unless it is dead. */
export async function livingDevice(
  db: Db,
  realmUuid: string,
  deviceId: number,
): Promise<Device | undefined> {
  return await livingAmong(db, realmUuid, { deviceIds: [deviceId] }).executeTakeFirst();
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

interface Death {
  readonly at: Date;
  /** When the notification that the provider refused was sent, UNIX milliseconds. */
  readonly sentAt: number;
}

/**
 * Marks devices as dead, and with them the other registrations of their tokens in the realm with the same
 * app: of other accounts, and in the other version of the protocol. Not those that were registered again
 * since.
 */
export async function expire(
  db: Db,
  devices: readonly Device[],
  { at, sentAt }: Death,
): Promise<void> {
  if (devices.length === 0) return;
  // Rows are locked in one order, so that two transactions do not wait for each other. For a join, PostgreSQL
  // may read all devices; for a subquery it uses the index.
  await sql`
    update device set expired_at = ${at}
    from (select * from unnest(
        ${devices.map(({ realm_uuid }) => realm_uuid)}::uuid[],
        ${devices.map(({ token_hash }) => token_hash)}::bytea[],
        ${devices.map(({ device_id }) => device_id)}::bigint[],
        ${devices.map(({ registered_at }) => registered_at)}::bigint[],
        ${devices.map(({ ios_app_id }) => ios_app_id)}::text[],
        ${devices.map(({ android_app_id }) => android_app_id)}::text[]
      ) as asked (realm_uuid, token_hash, device_id, registered_at, ios_app_id, android_app_id)
      order by realm_uuid, token_hash
    ) as asked
    cross join lateral (
      select device_id from device
      where realm_uuid = asked.realm_uuid and token_hash = asked.token_hash and expired_at is null
        and registered_at <= case device_id
          when asked.device_id then asked.registered_at else ${Math.floor(sentAt)}::bigint end
        and ios_app_id is not distinct from asked.ios_app_id
        and android_app_id is not distinct from asked.android_app_id
      order by device_id for update
    ) as dead
    where device.realm_uuid = asked.realm_uuid and device.device_id = dead.device_id`.execute(db);
}

/** Skips devices for an hour, except devices registered again since they were read. */
export async function quarantine(
  db: Db,
  devices: readonly Device[],
  { at, isMismatched }: { readonly at: Date; readonly isMismatched: boolean },
): Promise<void> {
  if (devices.length > 0)
    await db
      .updateTable('device')
      .set({
        quarantined_until: new Date(at.getTime() + QUARANTINE_SECONDS * 1_000),
        quarantined_since: sql`coalesce(quarantined_since, ${at})`,
        is_doubted: false,
        is_mismatched: isMismatched,
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
export const settleDevice = (
  db: Db,
  device: Device,
  environment: PushEnvironment,
): Promise<unknown> =>
  db
    .updateTable('device')
    .set({
      environment,
      quarantined_until: null,
      quarantined_since: null,
      is_doubted: false,
      is_mismatched: false,
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

/** Longer than any chat server takes to ask again, and than a registration stays valid. */
const KEEP_DEAD_MS = 30 * DAY_MS;

/** Deletes the devices whose token has been dead for 30 days. */
export const sweepDeadDevices: Sweep = ({ db, now }) =>
  db
    .deleteFrom('device')
    .where('expired_at', '<', new Date(now - KEEP_DEAD_MS))
    .execute();

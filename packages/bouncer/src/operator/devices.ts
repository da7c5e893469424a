import type { TokenKind } from '@bellhop/protocol/bouncer';
import { type Kysely, sql } from 'kysely';

import { recordAction } from '../audit/audit-log.ts';
import { type Device } from '../devices/queries.ts';
import { shortHash } from '../devices/token-hash.ts';
import { retryJobNames } from '../retry/retry-job-name.ts';
import { namesOf } from '../storage/device-name.ts';
import type { BouncerTables } from '../storage/tables.ts';
import { type Operator, OperatorError, signatureOf } from './operator.ts';

type Db = Kysely<BouncerTables>;

/** A device without its token. */
export interface DeviceSummary {
  readonly device_id: number;
  readonly realm_uuid: string;
  /** Decimal digits: it may be larger than a number can hold. Null: it registered with its `token_id`. */
  readonly push_account_id: string | null;
  /** Null: it registered with a `push_account_id`. */
  readonly token_id: string | null;
  readonly token_kind: TokenKind;
  readonly ios_app_id: string | null;
  readonly android_app_id: string | null;
  /** Names the token in the log. */
  readonly token_hash: string;
  /** Times are UNIX milliseconds. */
  readonly registered_ms: number;
  readonly dead_since_ms: number | null;
  readonly quarantined_until_ms: number | null;
  /** The public key that the latest registration was encrypted with. */
  readonly bouncer_public_key: string;
}
export interface DeviceFilter {
  readonly serverUuid?: string | undefined;
  readonly realmUuid?: string | undefined;
  readonly deviceId?: number | undefined;
  /** The ID of the last device read. */
  readonly after?: number | undefined;
  readonly limit: number;
}

/** Devices that fit all of the filter, in the order of their IDs. */
export async function listDevices(db: Db, filter: DeviceFilter): Promise<DeviceSummary[]> {
  const { serverUuid, realmUuid, deviceId, after = 0, limit } = filter;
  const devices = await db
    .selectFrom('device')
    .selectAll()
    .where('device_id', '>', after)
    .$if(realmUuid !== undefined, (query) => query.where('realm_uuid', '=', realmUuid ?? ''))
    .$if(deviceId !== undefined, (query) => query.where('device_id', '=', deviceId ?? 0))
    .$if(serverUuid !== undefined, (query) =>
      query.where('realm_uuid', 'in', (eb) =>
        eb
          .selectFrom('remote_realm')
          .select('realm_uuid')
          .where('server_uuid', '=', serverUuid ?? ''),
      ),
    )
    .orderBy('device_id')
    .limit(limit)
    .execute();
  return devices.map(summaryOf);
}

const summaryOf = (device: Device): DeviceSummary => ({
  device_id: device.device_id,
  realm_uuid: device.realm_uuid,
  ...namesOf(device),
  token_kind: device.token_kind,
  ios_app_id: device.ios_app_id,
  android_app_id: device.android_app_id,
  token_hash: shortHash(device),
  registered_ms: device.registered_at,
  dead_since_ms: device.expired_at && device.expired_at.getTime(),
  quarantined_until_ms: device.quarantined_until && device.quarantined_until.getTime(),
  bouncer_public_key: device.bouncer_public_key,
});

/** Throws an OperatorError if there is no such device. */
export async function showDevice(db: Db, deviceId: number): Promise<DeviceSummary> {
  const [device] = await listDevices(db, { deviceId, limit: 1 });
  if (!device) throw new OperatorError(`There is no device ${deviceId}.`);
  return device;
}

/** Deletes a device, the outcomes of its notifications, and those that wait for it. */
export async function deleteDevice(operator: Operator, deviceId: number): Promise<void> {
  const { realm_uuid: realmUuid } = await showDevice(operator.database.kysely, deviceId);
  await operator.database.transaction(async (tx) => {
    const { server_uuid: serverUuid } = await tx
      .selectFrom('remote_realm')
      .select('server_uuid')
      .where('realm_uuid', '=', realmUuid)
      .executeTakeFirstOrThrow();
    await sql`delete from job where name = any(${[...retryJobNames]})
      and payload->>'realm_uuid' = ${realmUuid} and (payload->>'device_id')::bigint = ${deviceId}`.execute(
      tx,
    );
    for (const table of ['push_outcome', 'push_trace', 'device'] as const)
      await tx
        .deleteFrom(table)
        .where('realm_uuid', '=', realmUuid)
        .where('device_id', '=', deviceId)
        .execute();
    await recordAction(tx, {
      ...signatureOf(operator),
      action: 'device_deleted',
      serverUuid,
      realmUuid,
      deviceId,
    });
  });
}

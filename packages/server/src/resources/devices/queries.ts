import {
  MAX_PUSH_REQUESTS,
  type PushAccountId,
  type RealmId,
  type TokenKind,
  type UserId,
} from '@bellhop/protocol';
import { sql } from 'kysely';

import type { Db, Tx } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';
import type { DevicesTables } from './tables.ts';

type DeviceError = NonNullable<DevicesTables['push_device']['error_code']>;
type Owner = Pick<User, 'id' | 'realm_id'>;

interface NewDevice {
  readonly push_account_id: PushAccountId;
  readonly token_kind: TokenKind;
  readonly push_public_key: string;
}
/** A device that pushes can be sent to. */
export interface ActiveDevice extends NewDevice {
  readonly id: number;
  readonly bouncer_device_id: number;
}
export interface DeviceKey {
  readonly realm_id: RealmId;
  /** The id in `push_device`, not the bouncer's id of the device. */
  readonly device_id: number;
}

/**
 * Inserts a pending device, or makes a failed one pending again. Returns its id, or undefined if the
 * user already has the device pending or active.
 */
export async function addPending(
  tx: Tx,
  { id, realm_id }: Owner,
  device: NewDevice,
): Promise<number | undefined> {
  const row = await tx
    .insertInto('push_device')
    .values({ ...device, realm_id, user_id: id })
    .onConflict((conflict) =>
      conflict
        .columns(['realm_id', 'user_id', 'push_account_id'])
        .doUpdateSet({
          token_kind: device.token_kind,
          push_public_key: device.push_public_key,
          error_code: null,
        })
        .where('push_device.error_code', 'is not', null),
    )
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

/** The account of a pending device; undefined if the device is not pending. */
export async function pendingAccount(
  db: Db,
  { realm_id, device_id }: DeviceKey,
): Promise<PushAccountId | undefined> {
  const row = await db
    .selectFrom('push_device')
    .select('push_account_id')
    .where('realm_id', '=', realm_id)
    .where('id', '=', device_id)
    .where('bouncer_device_id', 'is', null)
    .where('error_code', 'is', null)
    .executeTakeFirst();
  return row && BigInt(row.push_account_id);
}

/** Makes a pending device active or failed. Returns its user and account; undefined if it was not pending. */
export const settle = (
  tx: Tx,
  { realm_id, device_id }: DeviceKey,
  result: { bouncer_device_id: number } | { error_code: DeviceError },
) =>
  tx
    .updateTable('push_device')
    .set(result)
    .where('realm_id', '=', realm_id)
    .where('id', '=', device_id)
    .where('bouncer_device_id', 'is', null)
    .where('error_code', 'is', null)
    .returning(['user_id', 'push_account_id'])
    .executeTakeFirst();

/** The newest active devices of a user, as many as one request to the bouncer may name; only those of `account`, if given. */
export async function activeDevices(
  db: Db,
  { id, realm_id }: Owner,
  account?: PushAccountId,
): Promise<ActiveDevice[]> {
  let query = db
    .selectFrom('push_device')
    .select(['id', 'push_account_id', 'token_kind', 'push_public_key', 'bouncer_device_id'])
    .where('realm_id', '=', realm_id)
    .where('user_id', '=', id)
    .where('bouncer_device_id', 'is not', null)
    .orderBy('id', 'desc')
    .limit(MAX_PUSH_REQUESTS);
  if (account !== undefined) query = query.where('push_account_id', '=', account);
  return (await query.$narrowType<{ bouncer_device_id: number }>().execute()).map((row) => ({
    ...row,
    push_account_id: BigInt(row.push_account_id),
  }));
}

export type EndedDevice = Pick<ActiveDevice, 'id' | 'bouncer_device_id'>;

/**
 * Makes active devices failed, as if their registration had expired, unless they have registered again.
 * Returns their users and accounts.
 */
export async function end(
  tx: Tx,
  realm_id: RealmId,
  devices: readonly EndedDevice[],
): Promise<{ user_id: UserId; push_account_id: bigint | number }[]> {
  if (devices.length === 0) return [];
  const { rows } = await sql<{ user_id: UserId; push_account_id: bigint | number }>`
    update push_device d set bouncer_device_id = null, error_code = 'REQUEST_EXPIRED'
    from unnest(${devices.map(({ id }) => id)}::bigint[],
      ${devices.map(({ bouncer_device_id }) => bouncer_device_id)}::bigint[]) k (id, bouncer_id)
    where d.realm_id = ${realm_id} and d.id = k.id and d.bouncer_device_id = k.bouncer_id
    returning d.user_id, d.push_account_id`.execute(tx);
  return rows;
}

/** Removes all devices of a user. */
export async function removeAll(tx: Tx, { id, realm_id }: Owner): Promise<void> {
  await tx
    .deleteFrom('push_device')
    .where('realm_id', '=', realm_id)
    .where('user_id', '=', id)
    .execute();
}

export const ofUser = (db: Db, { id, realm_id }: Owner) =>
  db
    .selectFrom('push_device')
    .select(['push_account_id', 'bouncer_device_id', 'error_code'])
    .where('realm_id', '=', realm_id)
    .where('user_id', '=', id)
    .orderBy('id')
    .execute();

import type { PushAccountId, RealmId, TokenKind } from '@bellhop/protocol';

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
export interface DeviceOfRealm {
  readonly realm_id: RealmId;
  /** Our number of the device, not the bouncer's. */
  readonly device_id: number;
}

/**
 * A new pending device, or one that had failed and is pending again: its id. Undefined where the
 * user has the device already, pending or active; then nothing is changed.
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

/** The account of a device whose registration is not yet decided. */
export async function pendingAccount(
  db: Db,
  { realm_id, device_id }: DeviceOfRealm,
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

/** Decides a pending device. Returns whose it is, or undefined if it was not pending any more. */
export const settle = (
  tx: Tx,
  { realm_id, device_id }: DeviceOfRealm,
  end: { bouncer_device_id: number } | { error_code: DeviceError },
) =>
  tx
    .updateTable('push_device')
    .set(end)
    .where('realm_id', '=', realm_id)
    .where('id', '=', device_id)
    .where('bouncer_device_id', 'is', null)
    .where('error_code', 'is', null)
    .returning(['user_id', 'push_account_id'])
    .executeTakeFirst();

/** The active devices of a user, or the one of this account if it is active. */
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
    .orderBy('id');
  if (account !== undefined) query = query.where('push_account_id', '=', account);
  return (await query.$narrowType<{ bouncer_device_id: number }>().execute()).map((row) => ({
    ...row,
    push_account_id: BigInt(row.push_account_id),
  }));
}

export async function remove(
  tx: Tx,
  realm_id: RealmId,
  devices: readonly ActiveDevice[],
): Promise<void> {
  if (devices.length === 0) return;
  const ids = devices.map(({ id }) => id);
  await tx
    .deleteFrom('push_device')
    .where('realm_id', '=', realm_id)
    .where('id', 'in', ids)
    .execute();
}

/** All devices of a user, for their states. */
export const ofUser = (db: Db, { id, realm_id }: Owner) =>
  db
    .selectFrom('push_device')
    .select(['push_account_id', 'bouncer_device_id', 'error_code'])
    .where('realm_id', '=', realm_id)
    .where('user_id', '=', id)
    .orderBy('id')
    .execute();

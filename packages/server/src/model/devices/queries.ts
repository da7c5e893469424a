import type {
  MessageId,
  PushAccountId,
  PushDeviceError,
  RealmId,
  TokenKind,
  TraceAttempt,
  UserId,
} from '@bellhop/protocol';
import { sql, type ColumnType, type Generated } from 'kysely';
import type { z } from 'zod';

import type { Db, Tx } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';
import type { Tables } from '../../engine/tables.ts';
import type { PushFacts } from './traces/push-facts.ts';

/** A signed 64-bit integer: convert it with BigInt() when read, write a bigint. */
type Int64 = ColumnType<number | bigint, bigint, bigint>;

declare module '../../engine/tables.ts' {
  interface Tables {
    push_device: {
      id: Generated<number>;
      realm_id: RealmId;
      user_id: UserId;
      push_account_id: Int64;
      token_kind: TokenKind;
      push_public_key: string;
      registration_hash: Buffer | null;
      /** The bouncer's id of the device. The device is active if it is not null. */
      bouncer_device_id: number | null;
      /** Why the registration failed. The device is pending if both columns are null. */
      error_code: z.output<typeof PushDeviceError> | null;
      /** Tells the user what is wrong and what to do. Null if `error_code` is null. */
      error_message: string | null;
    };
    message_push: {
      realm_id: RealmId;
      user_id: UserId;
      message_id: MessageId;
      /** Whether the bouncer has taken it for all devices of the user. */
      job_id: string;
      is_sent: Generated<boolean>;
      is_withdrawn: Generated<boolean>;
    };
    push_request: {
      realm_id: RealmId;
      job_id: string;
      idempotency_key: string;
      /** JSON text: a `push_account_id` is wider than a double. */
      items: string;
    };
    push_trace: {
      realm_id: RealmId;
      cipher_id: string;
      trace_id: Generated<number>;
      user_id: UserId;
      push_account_id: Int64 | null;
      device_id: number | null;
      message_id: MessageId | null;
      created_at: Generated<Date>;
      facts: PushFacts;
      /** The oldest first. */
      attempts: TraceAttempt[];
    };
  }
}

/** Why a device is failed. */
export interface DeviceFailure {
  readonly error_code: NonNullable<Tables['push_device']['error_code']>;
  readonly error_message: string;
}
type Owner = Pick<User, 'id' | 'realm_id'>;

interface NewDevice {
  readonly push_account_id: PushAccountId;
  readonly token_kind: TokenKind;
  readonly push_public_key: string;
}
interface PendingDevice extends Pick<NewDevice, 'push_account_id' | 'token_kind'> {
  readonly user_id: UserId;
}
export interface DeviceKey {
  readonly realm_id: RealmId;
  /** The id in `push_device`, not the bouncer's id of the device. */
  readonly device_id: number;
}

/**
 * Inserts a pending device, or makes a failed one pending again under a new id: a job of its former
 * registration no longer finds it, and ids are in the order of registrations. Returns the id, or undefined
 * if the user already has the device pending or active.
 */
export async function addPending(
  tx: Tx,
  { id, realm_id }: Owner,
  device: NewDevice & { readonly registration_hash: Buffer },
): Promise<number | undefined> {
  const row = await tx
    .insertInto('push_device')
    .values({ ...device, realm_id, user_id: id })
    .onConflict((conflict) =>
      conflict
        .columns(['realm_id', 'user_id', 'push_account_id'])
        .doUpdateSet({
          id: sql<number>`default`,
          token_kind: device.token_kind,
          push_public_key: device.push_public_key,
          registration_hash: device.registration_hash,
          error_code: null,
          error_message: null,
        })
        .where('push_device.error_code', 'is not', null),
    )
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

/**
 * Whether another account of the realm, of this or another user, has registered with the same box, or is
 * about to. An account that was refused owns no box.
 */
export async function isUsedByAnother(
  db: Db,
  { id, realm_id }: Owner,
  { push_account_id, registration_hash }: { push_account_id: bigint; registration_hash: Buffer },
): Promise<boolean> {
  const other = await db
    .selectFrom('push_device')
    .select('id')
    .where('realm_id', '=', realm_id)
    .where('registration_hash', '=', registration_hash)
    .where('error_code', 'is', null)
    .where((eb) => eb.or([eb('user_id', '!=', id), eb('push_account_id', '!=', push_account_id)]))
    .executeTakeFirst();
  return other !== undefined;
}

/** The user, account and kind of a pending device; undefined if the device is not pending. */
export async function pendingDevice(
  db: Db,
  { realm_id, device_id }: DeviceKey,
): Promise<PendingDevice | undefined> {
  const row = await db
    .selectFrom('push_device')
    .select(['user_id', 'push_account_id', 'token_kind'])
    .where('realm_id', '=', realm_id)
    .where('id', '=', device_id)
    .where('bouncer_device_id', 'is', null)
    .where('error_code', 'is', null)
    .executeTakeFirst();
  return row && { ...row, push_account_id: BigInt(row.push_account_id) };
}

/** Makes a pending device active or failed. Returns its user and account; undefined if it was not pending. */
export const settle = (
  tx: Tx,
  { realm_id, device_id }: DeviceKey,
  result: { bouncer_device_id: number } | DeviceFailure,
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

export interface EndedAccount {
  readonly user_id: UserId;
  readonly push_account_id: bigint | number;
  /** Null if the bouncer had not registered it yet. */
  readonly bouncer_device_id: number | null;
}

/** Makes the pending and active devices of a user failed, as `end` does; only that of `account`, if given. */
export async function endOfUser(
  tx: Tx,
  { id, realm_id }: Owner,
  { error_code, error_message }: DeviceFailure,
  account?: PushAccountId,
): Promise<EndedAccount[]> {
  const { rows } = await sql<EndedAccount>`
    update push_device d
      set bouncer_device_id = null, error_code = ${error_code}, error_message = ${error_message}
    from (
      select id, bouncer_device_id from push_device
      where realm_id = ${realm_id} and user_id = ${id} and error_code is null
        and (${account === undefined} or push_account_id = ${account ?? null}::bigint)
      order by id for update
    ) former
    where d.realm_id = ${realm_id} and d.id = former.id
    returning d.user_id, d.push_account_id, former.bouncer_device_id`.execute(tx);
  return rows;
}

/** The active devices of a user among those with these ids of the bouncer. */
export const byBouncerIds = (
  db: Db,
  { id, realm_id }: Owner,
  bouncerIds: readonly number[],
): Promise<EndedDevice[]> =>
  db
    .selectFrom('push_device')
    .select(['id', 'bouncer_device_id'])
    .where('realm_id', '=', realm_id)
    .where('user_id', '=', id)
    .where(sql<boolean>`bouncer_device_id = any(${bouncerIds}::bigint[])`)
    .$narrowType<{ bouncer_device_id: number }>()
    .execute();

/** An active device, as it was when it was read. */
export interface EndedDevice {
  readonly id: number;
  readonly bouncer_device_id: number;
}

/** Makes active devices failed unless they have registered again. Returns their users and accounts. */
export async function end(
  tx: Tx,
  realm_id: RealmId,
  devices: readonly EndedDevice[],
  { error_code, error_message }: DeviceFailure,
): Promise<EndedAccount[]> {
  if (devices.length === 0) return [];
  const { rows } = await sql<EndedAccount>`
    update push_device d
      set bouncer_device_id = null, error_code = ${error_code}, error_message = ${error_message}
    from unnest(${devices.map(({ id }) => id)}::bigint[],
      ${devices.map(({ bouncer_device_id }) => bouncer_device_id)}::bigint[]) k (id, bouncer_id)
    where d.realm_id = ${realm_id} and d.id = k.id and d.bouncer_device_id = k.bouncer_id
    returning d.user_id, d.push_account_id, k.bouncer_id as bouncer_device_id`.execute(tx);
  return rows;
}

/** Removes all devices of a realm, or of one user. Returns the bouncer's ids of those that were active. */
export async function removeAll(tx: Tx, realm_id: RealmId, user?: UserId): Promise<number[]> {
  let query = tx.deleteFrom('push_device').where('realm_id', '=', realm_id);
  if (user !== undefined) query = query.where('user_id', '=', user);
  const removed = await query.returning('bouncer_device_id').execute();
  return removed.flatMap(({ bouncer_device_id: id }) => id ?? []);
}

/** Whether a registration of the realm, in either form, waits for the answer of the bouncer. */
export async function isRegistering(db: Db, realm_id: RealmId): Promise<boolean> {
  const { rows } = await sql<{ is_registering: boolean }>`
    select exists (select from push_device
      where realm_id = ${realm_id} and bouncer_device_id is null and error_code is null)
    or exists (select from client_device
      where realm_id = ${realm_id} and pending_push_token_id is not null and error_code is null)
      as is_registering`.execute(db);
  return rows[0]?.is_registering === true;
}

/** Those of the bouncer's ids that no device has. */
export async function unusedAmong(
  db: Db,
  realm_id: RealmId,
  bouncerIds: readonly number[],
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select asked.id from unnest(${[...bouncerIds]}::bigint[]) as asked (id)
    where not exists (select from push_device d
      where d.realm_id = ${realm_id} and d.bouncer_device_id = asked.id)
    and not exists (select from client_device d
      where d.realm_id = ${realm_id} and d.bouncer_device_id = asked.id)`.execute(db);
  return rows.map(({ id }) => id);
}

export const ofUser = (db: Db, { id, realm_id }: Owner) =>
  db
    .selectFrom('push_device')
    .select(['push_account_id', 'bouncer_device_id', 'error_code', 'error_message'])
    .where('realm_id', '=', realm_id)
    .where('user_id', '=', id)
    .orderBy('id')
    .execute();

import type { ClientDevice, RealmId, TokenKind, UserId } from '@bellhop/protocol';
import { type Generated, type Selectable, sql } from 'kysely';

import type { Db, Tx } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';
import type { Tables } from '../../engine/tables.ts';
import type { DeviceFailure } from './queries.ts';

declare module '../../engine/tables.ts' {
  interface Tables {
    client_device: {
      realm_id: RealmId;
      id: Generated<number>;
      user_id: UserId;
      push_key_id: number | null;
      /** Sealed with the server's secret. */
      push_key: Buffer | null;
      /** UNIX seconds: when the app sent its key last. */
      key_updated_at: number | null;
      /** The device is active if it is not null. */
      push_token_id: Buffer | null;
      token_kind: TokenKind | null;
      /** The bouncer's id of `push_token_id`; null if it tells none. */
      bouncer_device_id: number | null;
      /** A token that the bouncer has not accepted yet or, with an `error_code`, has refused. */
      pending_push_token_id: Buffer | null;
      pending_token_kind: TokenKind | null;
      /** A job of an earlier registration changes nothing any more. */
      registration: Generated<number>;
      /** UNIX seconds. */
      token_updated_at: number | null;
      error_code: DeviceFailure['error_code'] | null;
      error_message: string | null;
    };
  }
}

type Owner = Pick<User, 'id' | 'realm_id'>;
export type ClientDeviceRow = Selectable<Tables['client_device']>;
export interface ClientDeviceKey {
  readonly realm_id: RealmId;
  readonly device_id: number;
}
/** One registration of a device with the bouncer. */
export interface ClientRegistration extends ClientDeviceKey {
  readonly registration: number;
}

/** Adds an empty device and returns its id. */
export async function add(tx: Tx, { id, realm_id }: Owner): Promise<number> {
  const row = await tx
    .insertInto('client_device')
    .values({ realm_id, user_id: id })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** The user's device, locked; undefined if they have no such device. */
export const lock = (
  tx: Tx,
  { id, realm_id }: Owner,
  device_id: number,
): Promise<ClientDeviceRow | undefined> =>
  tx
    .selectFrom('client_device')
    .selectAll()
    .where('realm_id', '=', realm_id)
    .where('id', '=', device_id)
    .where('user_id', '=', id)
    .forUpdate()
    .executeTakeFirst();

/** Changes columns of a device. */
export async function update(
  tx: Tx,
  { realm_id, device_id }: ClientDeviceKey,
  changes: Partial<Omit<ClientDeviceRow, 'realm_id' | 'id' | 'user_id'>>,
): Promise<void> {
  await tx
    .updateTable('client_device')
    .set(changes)
    .where('realm_id', '=', realm_id)
    .where('id', '=', device_id)
    .execute();
}

export const ofUser = (db: Db, { id, realm_id }: Owner): Promise<ClientDeviceRow[]> =>
  db
    .selectFrom('client_device')
    .selectAll()
    .where('realm_id', '=', realm_id)
    .where('user_id', '=', id)
    .orderBy('id')
    .execute();

/** A removed device, and the bouncer's id of its token. */
export interface RemovedDevice {
  readonly id: number;
  readonly bouncer_device_id: number | null;
}

/** Removes the devices of a user, only `device_id` if given. */
export function remove(
  tx: Tx,
  { id, realm_id }: Owner,
  device_id?: number,
): Promise<RemovedDevice[]> {
  let query = tx
    .deleteFrom('client_device')
    .where('realm_id', '=', realm_id)
    .where('user_id', '=', id);
  if (device_id !== undefined) query = query.where('id', '=', device_id);
  return query.returning(['id', 'bouncer_device_id']).execute();
}

/**
 * Forgets the tokens of all devices of a realm, and what is pending; the keys stay. Returns the bouncer's ids.
 */
export async function endAllTokens(tx: Tx, realm_id: RealmId): Promise<number[]> {
  const { rows } = await sql<{ bouncer_device_id: number }>`
    with former as materialized (
      select id, bouncer_device_id from client_device
      where realm_id = ${realm_id} and (push_token_id is not null or pending_push_token_id is not null)
      order by id for update),
    ended as (
      update client_device d set push_token_id = null, token_kind = null, bouncer_device_id = null,
        pending_push_token_id = null, pending_token_kind = null, error_code = null, error_message = null,
        registration = d.registration + 1
      from former where d.realm_id = ${realm_id} and d.id = former.id)
    select distinct bouncer_device_id from former where bouncer_device_id is not null`.execute(tx);
  return rows.map(({ bouncer_device_id: id }) => id);
}

/** An app sends its key and its token every 30 days, if it runs. */
const IN_USE_SECONDS = 30 * 86_400;

/**
 * Removes a device that gets no pushes and waits for no answer of the bouncer, if the user has more than `max`
 * devices: phones that were wiped without logging out leave such. One that never had a key, else the longest
 * unused; none whose app has sent a key or token in the last 30 days: a phone whose token has died comes back
 * with the same device only. `now`: UNIX seconds.
 */
export async function removeUnused(
  tx: Tx,
  { id, realm_id }: Owner,
  { max, except, now }: { readonly max: number; readonly except: number; readonly now: number },
): Promise<number | undefined> {
  const used_at = sql`greatest(d.key_updated_at, d.token_updated_at)`;
  const { rows } = await sql<{ id: number }>`
    delete from client_device where realm_id = ${realm_id} and id = (
      select d.id from client_device d
      where d.realm_id = ${realm_id} and d.user_id = ${id} and d.id <> ${except} and d.push_token_id is null
        and (d.pending_push_token_id is null or d.error_code is not null)
        and (d.push_key is null or ${used_at} <= ${now - IN_USE_SECONDS})
        and (select count(*) from client_device c
          where c.realm_id = ${realm_id} and c.user_id = ${id}) > ${max}
      order by d.push_key is not null, ${used_at}, d.id limit 1)
    returning id`.execute(tx);
  return rows[0]?.id;
}

/** The user of a device whose registration is this one; undefined if there was a later one, or it has ended. */
export async function userOf(
  db: Db,
  { realm_id, device_id, registration }: ClientRegistration,
): Promise<UserId | undefined> {
  const row = await db
    .selectFrom('client_device')
    .select('user_id')
    .where('realm_id', '=', realm_id)
    .where('id', '=', device_id)
    .where('registration', '=', registration)
    .executeTakeFirst();
  return row?.user_id;
}

/** What the bouncer has accepted. */
export interface AcceptedToken {
  readonly push_token_id: Buffer;
  readonly token_kind: TokenKind;
  readonly bouncer_device_id: number | null;
}

/** What the device was before the bouncer accepted its token. */
interface FormerDevice {
  readonly user_id: UserId;
  /** The bouncer's id of the token before. */
  readonly former: number | null;
  /** Whether the token is new: else it was registered again. */
  readonly was_pending: boolean;
}

/** Stores the token of a registration. Undefined if there was a later one, or the device is gone. */
export async function accept(
  tx: Tx,
  { realm_id, device_id, registration }: ClientRegistration,
  token: AcceptedToken,
): Promise<FormerDevice | undefined> {
  const { rows } = await sql<FormerDevice>`
    update client_device d set push_token_id = ${token.push_token_id},
      token_kind = ${token.token_kind}, bouncer_device_id = ${token.bouncer_device_id}::bigint,
      pending_push_token_id = null, pending_token_kind = null
    from (select id, bouncer_device_id, pending_push_token_id is not null as was_pending
      from client_device
      where realm_id = ${realm_id} and id = ${device_id} and registration = ${registration}
      for update) former
    where d.realm_id = ${realm_id} and d.id = former.id
    returning d.user_id, former.bouncer_device_id as former, former.was_pending`.execute(tx);
  return rows[0];
}

/** Stores why the bouncer refused the pending token. Returns the user; undefined as `accept`. */
export async function refuse(
  tx: Tx,
  { realm_id, device_id, registration }: ClientRegistration,
  failure: DeviceFailure,
): Promise<UserId | undefined> {
  const row = await tx
    .updateTable('client_device')
    .set(failure)
    .where('realm_id', '=', realm_id)
    .where('id', '=', device_id)
    .where('registration', '=', registration)
    .where('pending_push_token_id', 'is not', null)
    .returning('user_id')
    .executeTakeFirst();
  return row?.user_id;
}

/** A device whose token has ended, as it was when the token was read. */
export interface EndedToken {
  readonly id: number;
  /** As the wire has it. */
  readonly token_id: string;
  readonly registration: number;
}

/**
 * Forgets tokens, unless their devices have another one, or have registered since. Returns the devices with
 * the bouncer's ids.
 */
export async function endTokens(
  tx: Tx,
  realm_id: RealmId,
  devices: readonly EndedToken[],
): Promise<(RemovedDevice & { readonly user_id: UserId })[]> {
  if (devices.length === 0) return [];
  const { rows } = await sql<RemovedDevice & { user_id: UserId }>`
    update client_device d
      set push_token_id = null, token_kind = null, bouncer_device_id = null
    from (select c.id, c.bouncer_device_id from client_device c
      join unnest(${devices.map(({ id }) => id)}::bigint[],
        ${devices.map(({ registration }) => registration)}::bigint[],
        ${devices.map(({ token_id }) => token_id)}::text[]) k (id, registration, token_id)
        on k.id = c.id and k.registration = c.registration
          and c.push_token_id = decode(k.token_id, 'base64')
      where c.realm_id = ${realm_id}
      order by c.id for update of c) former
    where d.realm_id = ${realm_id} and d.id = former.id
    returning d.id, d.user_id, former.bouncer_device_id`.execute(tx);
  return rows;
}

/** The active devices of a user among those whose token has one of these ids of the bouncer. */
export const byBouncerIds = (
  db: Db,
  owner: Owner,
  bouncerIds: readonly number[],
): Promise<EndedToken[]> =>
  activeOf(db, owner)
    .where(sql<boolean>`bouncer_device_id = any(${bouncerIds}::bigint[])`)
    .execute();

/**
 * The active devices of a user with a token, the one that registered last first. `sameToken`: the bouncer's
 * other ids of it, for an APNs token has another ID in other letters.
 */
export const holdersOf = (
  db: Db,
  owner: Owner,
  push_token_id: Buffer,
  sameToken: readonly number[],
): Promise<EndedToken[]> =>
  activeOf(db, owner)
    .where(
      sql<boolean>`(push_token_id = ${push_token_id} or bouncer_device_id = any(${sameToken}::bigint[]))`,
    )
    .orderBy('token_updated_at', (order) => order.desc().nullsLast())
    .orderBy('id', 'desc')
    .execute();

const activeOf = (db: Db, { id, realm_id }: Owner) =>
  db
    .selectFrom('client_device')
    .select(['id', 'registration'])
    .select(sql<string>`encode(push_token_id, 'base64')`.as('token_id'))
    .where('realm_id', '=', realm_id)
    .where('user_id', '=', id)
    .where('push_token_id', 'is not', null);

/** A token ID as the wire has it. */
export const tokenIdText = (id: Buffer | null): string | null => id && id.toString('base64');

/** A device as the initial state has it. */
export const clientDevice = (row: ClientDeviceRow): ClientDevice => ({
  push_key_id: row.push_key_id,
  push_token_id: tokenIdText(row.push_token_id),
  pending_push_token_id: tokenIdText(row.pending_push_token_id),
  push_token_last_updated_timestamp: row.token_updated_at,
  push_registration_error_code: row.error_code,
  ...(row.error_message === null ? {} : { error_message: row.error_message }),
});

import type { PushAccountId, RealmId, TokenKind, UserId } from '@bellhop/protocol';
import { sql } from 'kysely';

import type { Db } from '../../engine/call.ts';

/** A device that pushes can be sent to. */
export type ActiveDevice = AccountDevice | TokenDevice;

/** It registered by push_account_id (levels 406 to 467). */
interface AccountDevice {
  readonly form: 'account';
  readonly id: number;
  readonly user_id: UserId;
  readonly token_kind: TokenKind;
  readonly push_account_id: PushAccountId;
  readonly push_public_key: string;
  readonly bouncer_device_id: number;
}
/** It registered by device_id (level 468 and later). */
export interface TokenDevice {
  readonly form: 'token';
  readonly id: number;
  readonly user_id: UserId;
  readonly token_kind: TokenKind;
  readonly token_id: string;
  readonly push_key_id: number;
  /** Sealed with the server's secret. */
  readonly push_key: Buffer;
  readonly registration: number;
}

interface DeviceFilter {
  readonly users: readonly UserId[];
  /** Only the device that registered by this. */
  readonly account?: PushAccountId | undefined;
  /** Only the device that registered by this. */
  readonly device_id?: number | undefined;
}

/** The active devices of users, those of one user after those of another, the oldest first. */
export async function activeDevices(
  db: Db,
  realm: RealmId,
  { users, account, device_id }: DeviceFilter,
): Promise<ActiveDevice[]> {
  const ofUsers = sql`d.realm_id = ${realm} and d.user_id = any(${users}::bigint[])`;
  const { rows } = await sql<DeviceRow>`
    select 'account' as form, d.id, d.user_id, d.token_kind, d.push_account_id, d.push_public_key,
      d.bouncer_device_id, null::bytea as push_token_id, null::bigint as push_key_id,
      null::bytea as push_key, null::bigint as registration
    from push_device d
    where ${ofUsers} and d.bouncer_device_id is not null and ${device_id === undefined}
      and (${account === undefined} or d.push_account_id = ${account ?? null}::bigint)
    union all
    select 'token', d.id, d.user_id, d.token_kind, null, null, null, d.push_token_id,
      d.push_key_id, d.push_key, d.registration
    from client_device d
    where ${ofUsers} and d.push_token_id is not null and ${account === undefined}
      and (${device_id === undefined} or d.id = ${device_id ?? null}::bigint)
    order by user_id, form, id`.execute(db);
  return rows.map(deviceOf);
}

type DeviceRow =
  | (Omit<AccountDevice, 'push_account_id'> & { readonly push_account_id: number | bigint })
  | (Omit<TokenDevice, 'token_id'> & { readonly push_token_id: Buffer });

function deviceOf(row: DeviceRow): ActiveDevice {
  const { form, id, user_id, token_kind } = row;
  if (form === 'account') {
    const { push_public_key, bouncer_device_id } = row;
    const push_account_id = BigInt(row.push_account_id);
    return { form, id, user_id, token_kind, push_account_id, push_public_key, bouncer_device_id };
  }
  const { push_key_id, push_key, registration } = row;
  const token_id = row.push_token_id.toString('base64');
  return { form, id, user_id, token_kind, token_id, push_key_id, push_key, registration };
}

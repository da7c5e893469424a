import { type Api, badRequest, type ClientDeviceEvent, type ParamsOf } from '@bellhop/protocol';

import type { App } from '../../engine/app.ts';
import type { Change } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';
import * as clientDevices from '../../model/devices/client-devices.ts';
import { noSuchDevice } from './client-devices.ts';
import { registerTokenWithBouncer } from './register-token-with-bouncer.ts';

interface RegistrationCall extends Pick<Change<'device'>, 'db' | 'emit' | 'enqueue'> {
  readonly app: Pick<App, 'now' | 'secrets'>;
  readonly user: Pick<User, 'id' | 'realm_id'>;
}
type RegistrationParams = ParamsOf<Api['devices']['registerPush']> & { readonly device_id: number };

/**
 * Stores a key, a token or both for a device of level 468 and later. The key is used at once, the token
 * when the bouncer has accepted it. A token that is registered already is registered again, which renews
 * its time. Throws BAD_REQUEST.
 */
export async function registerToken(
  { app, user, db, emit, enqueue }: RegistrationCall,
  params: RegistrationParams,
): Promise<void> {
  const { device_id } = params;
  const device = await clientDevices.lock(db, user, device_id);
  if (!device) throw noSuchDevice(device_id);
  const key = keyOf(params);
  const token = tokenOf(params);
  if (!key && !token)
    throw badRequest(
      'Send push_key_id and push_key, or token_kind, token_id, bouncer_public_key and encrypted_push_registration, or all of them',
    );
  if (device.push_key === null && !(key && token))
    throw badRequest(
      'The first registration of a device has a key and a token: push_key_id, push_key, token_kind, token_id, bouncer_public_key and encrypted_push_registration',
    );
  const isKnownKey =
    key?.push_key_id === device.push_key_id &&
    device.push_key !== null &&
    app.secrets.open(device.push_key) === key.push_key;
  const newKey = key && !isKnownKey ? key : undefined;
  const changes: ClientDeviceChanges = newKey ? { push_key_id: newKey.push_key_id } : {};
  const columns: Parameters<typeof clientDevices.update>[2] = {
    ...(newKey && { ...newKey, push_key: app.secrets.seal(newKey.push_key) }),
    ...(key && { key_updated_at: app.now() }),
  };
  const place = { realm_id: user.realm_id, device_id };
  if (!token) {
    await clientDevices.update(db, place, columns);
    if (newKey) emitUpdate({ emit, user, device_id }, changes);
    return;
  }
  const { token_kind } = token;
  const token_id = Buffer.from(token.token_id, 'base64');
  const isFailed = device.error_code !== null;
  const { pending_push_token_id: pending } = device;
  if (pending !== null && !isFailed && !pending.equals(token_id))
    throw badRequest(
      'The registration of another token of this device is not finished: wait for its device event',
    );
  const isRenewal =
    !isFailed &&
    !newKey &&
    pending === null &&
    device.push_token_id?.equals(token_id) === true &&
    device.token_kind === token_kind;
  const token_updated_at = app.now();
  const registration = device.registration + 1;
  await clientDevices.update(db, place, {
    ...columns,
    registration,
    token_updated_at,
    ...(isRenewal
      ? {}
      : {
          pending_push_token_id: token_id,
          pending_token_kind: token_kind,
          error_code: null,
          error_message: null,
        }),
  });
  emitUpdate(
    { emit, user, device_id },
    {
      ...changes,
      ...(isRenewal
        ? {}
        : { pending_push_token_id: token.token_id, push_registration_error_code: null }),
      push_token_last_updated_timestamp: token_updated_at,
    },
  );
  await enqueue(registerTokenWithBouncer, { ...place, ...token, registration });
}

type ClientDeviceChanges = Omit<
  Extract<ClientDeviceEvent, { op: 'update' }>,
  'type' | 'op' | 'device_id'
>;

const emitUpdate = (
  {
    emit,
    user,
    device_id,
  }: Pick<RegistrationCall, 'emit' | 'user'> & { readonly device_id: number },
  changes: ClientDeviceChanges,
): void => emit({ type: 'device', op: 'update', device_id, ...changes }, [user.id]);

/** The key, if all of it is given. Half of one is ignored beside a whole token, and the answer says so. */
function keyOf({ push_key_id, push_key }: RegistrationParams) {
  return push_key_id === undefined || push_key === undefined
    ? undefined
    : { push_key_id, push_key };
}

/** The token, if all of it is given. Half of one is ignored beside a whole key, and the answer says so. */
function tokenOf(params: RegistrationParams) {
  const { token_kind, token_id, bouncer_public_key, encrypted_push_registration } = params;
  return token_kind === undefined ||
    token_id === undefined ||
    bouncer_public_key === undefined ||
    encrypted_push_registration === undefined
    ? undefined
    : { token_kind, token_id, bouncer_public_key, encrypted_push_registration };
}

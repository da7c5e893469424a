import { createHash } from 'node:crypto';

import { type Api, badRequest, missingParameter, type ParamsOf } from '@bellhop/protocol';
import { BadEncoding, payloadCipher } from '@bellhop/push-crypto';

import type { Handlers } from '../../engine/resource.ts';
import * as queries from '../../model/devices/queries.ts';
import { requireRoom } from '../../model/require-room.ts';
import { registerToken } from './register-token.ts';
import { registerWithBouncer } from './register-with-bouncer.ts';
import { requireSameLogin } from './require-same-login.ts';

/**
 * Stores the key and the token of a device of the caller; the token is then registered with the bouncer. A
 * phone of level 468 and later sends a device_id, one before that a push_account_id.
 */
export const registerPush: Handlers<'devices'>['registerPush'] = async (call) => {
  const { app, before, user, params, db, enqueue, fail } = call;
  if (!app.bouncer) return fail('PUSH_SERVICE_NOT_CONFIGURED');
  if (params.device_id !== undefined) {
    if (params.push_account_id !== undefined)
      throw badRequest(
        'device_id and push_account_id name a device in different versions of the protocol: send one of them',
      );
    requireSameLogin(before.user, user);
    await registerToken(call, { ...params, device_id: params.device_id });
    return {};
  }
  const { bouncer_public_key, encrypted_push_registration, ...device } = accountOf(params);
  requireUsable(device.push_public_key);
  requireSameLogin(before.user, user);
  const registration_hash = createHash('sha256').update(encrypted_push_registration).digest();
  const registration = { ...device, registration_hash };
  const device_id = await queries.addPending(db, user, registration);
  if (device_id !== undefined) {
    await requireRoom(db, 'push_device', { realm_id: user.realm_id, user_id: user.id });
    await enqueue(registerWithBouncer, {
      realm_id: user.realm_id,
      device_id,
      bouncer_public_key,
      encrypted_push_registration,
      isOfAnother: await queries.isUsedByAnother(db, user, registration),
    });
  }
  return {};
};

/** The parameters of a device that registers by push_account_id. Throws REQUEST_VARIABLE_MISSING. */
function accountOf(params: ParamsOf<Api['devices']['registerPush']>) {
  const given = <Name extends keyof typeof params>(name: Name) => {
    const value = params[name];
    if (value === undefined) throw missingParameter(name);
    return value;
  };
  return {
    token_kind: given('token_kind'),
    push_account_id: given('push_account_id'),
    push_public_key: given('push_public_key'),
    bouncer_public_key: given('bouncer_public_key'),
    encrypted_push_registration: given('encrypted_push_registration'),
  };
}

/** Throws BAD_REQUEST unless a payload can be encrypted for the key: some well-formed keys are unusable. */
function requireUsable(key: string): void {
  try {
    payloadCipher.requireKey(key);
    payloadCipher.encrypt({}, key);
  } catch (error) {
    if (!(error instanceof BadEncoding)) throw error;
    throw badRequest(`push_public_key: ${error.message}`, { var_name: 'push_public_key' });
  }
}

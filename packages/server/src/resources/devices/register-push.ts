import { createHash } from 'node:crypto';

import { badRequest } from '@bellhop/protocol';
import { BadEncoding, payloadCipher } from '@bellhop/push-crypto';

import { ApiError } from '../../engine/api-error.ts';
import type { Handlers } from '../../engine/resource.ts';
import * as queries from '../../model/devices/queries.ts';
import { requireRoom } from '../../model/require-room.ts';
import { registerWithBouncer } from './register-with-bouncer.ts';

/** Stores a device of the caller, which is then registered with the bouncer. */
export const registerPush: Handlers<'devices'>['registerPush'] = async ({
  app,
  before,
  user,
  params,
  db,
  enqueue,
  fail,
}) => {
  if (!app.bouncer) return fail('PUSH_SERVICE_NOT_CONFIGURED');
  const { bouncer_public_key, encrypted_push_registration, ...device } = params;
  requireUsable(device.push_public_key);
  // What ends a login ends its devices: none may be added by it afterwards.
  const isSameLogin =
    before.user.delivery_email === user.delivery_email &&
    before.user.api_key_mac.equals(user.api_key_mac);
  if (!isSameLogin) throw new ApiError('INVALID_API_KEY');
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

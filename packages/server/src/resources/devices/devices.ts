import { createHash } from 'node:crypto';

import { badRequest } from '@bellhop/protocol';
import { BadEncoding, payloadCipher } from '@bellhop/push-crypto';

import { ApiError } from '../../engine/api-error.ts';
import type { Handlers, Resource } from '../../engine/resource.ts';
import { hostProofSecret } from '../../model/devices/host-proof.ts';
import * as queries from '../../model/devices/queries.ts';
import { ofUser } from '../../model/devices/traces/trace-rows.ts';
import { requireRoom } from '../../model/require-room.ts';
import { announceRealms } from './announce-realms.ts';
import { unregisterDevice } from './end-devices.ts';
import { sendMessagePush } from './message-push/send-message-push.ts';
import { sendPushRemoval } from './message-push/send-push-removal.ts';
import { presentPushDevice, pushDevicesOf } from './push-devices-of.ts';
import { registerWithBouncer } from './register-with-bouncer.ts';
import { removeFromBouncer } from './remove-from-bouncer.ts';
import { testNotification } from './test-notification.ts';
import { bouncerTraces } from './traces/bouncer-traces.ts';
import { presentPushTrace, traceOf } from './traces/present-trace.ts';
import { sweepTraces } from './traces/sweep-traces.ts';

const handlers: Handlers<'devices'> = {
  async hostProof({ app, params, fail }) {
    const verification_secret = hostProofSecret(app.secrets, params.access_token, app.now());
    return verification_secret === undefined ? fail('NOT_FOUND') : { verification_secret };
  },

  async registerPush({ app, before, user, params, db, enqueue, fail }) {
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
  },

  async unregisterPush({ user, params, db, emit, fail }) {
    const isEnded = await unregisterDevice({ db, emit }, user, params.push_account_id);
    return isEnded ? {} : fail('NO_ACTIVE_PUSH_DEVICE');
  },

  testNotification,

  /** A page of the traces of the caller's own pushes. */
  async traces({ db, user, params }) {
    const { limit } = params;
    const rows = await ofUser(db, user, { ...params, limit: limit + 1 });
    const page = rows.slice(0, limit);
    return {
      traces: page.map(traceOf),
      next_cursor: rows.length > limit ? (page.at(-1)?.trace_id ?? null) : null,
    };
  },

  bouncerTraces,
};

export const devices: Resource<'devices'> = {
  handlers,
  state: {
    push_device: async ({ db, user, params }) => ({
      push_devices: await pushDevicesOf(db, user, params.client_capabilities),
    }),
  },
  presenters: () => ({ push_device: presentPushDevice, push_trace: presentPushTrace }),
  jobs: () => [
    announceRealms,
    registerWithBouncer,
    removeFromBouncer,
    sendMessagePush,
    sendPushRemoval,
    sweepTraces,
  ],
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

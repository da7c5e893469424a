import type { Handlers, Resource } from '../../engine/resource.ts';
import { hostProofSecret } from '../../model/devices/host-proof.ts';
import { ofUser } from '../../model/devices/traces/trace-rows.ts';
import { announceRealms } from './announce-realms.ts';
import { clientDevicesOf, registerClientDevice, removeClientDevice } from './client-devices.ts';
import { unregisterDevice } from './end-devices.ts';
import { sendMessagePush } from './message-push/send-message-push.ts';
import { sendPushRemoval } from './message-push/send-push-removal.ts';
import { presentDevice, pushDevicesOf } from './push-devices-of.ts';
import { registerPush } from './register-push.ts';
import { registerTokenWithBouncer } from './register-token-with-bouncer.ts';
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

  registerPush,
  registerClientDevice,
  removeClientDevice,

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
    device: async ({ db, user, params }) => ({
      devices: await clientDevicesOf(db, user, params.client_capabilities),
    }),
  },
  presenters: () => ({
    push_device: presentDevice,
    device: presentDevice,
    push_trace: presentPushTrace,
  }),
  jobs: () => [
    announceRealms,
    registerWithBouncer,
    registerTokenWithBouncer,
    removeFromBouncer,
    sendMessagePush,
    sendPushRemoval,
    sweepTraces,
  ],
};

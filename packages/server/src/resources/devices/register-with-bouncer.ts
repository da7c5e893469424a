import { done } from '@bellhop/jobs';
import { badRequest, type PushAccountId, RealmId, type TokenKind } from '@bellhop/protocol';
import { z } from 'zod';

import type { JobApp } from '../../engine/app.ts';
import type { Tx } from '../../engine/call.ts';
import { job } from '../../engine/job.ts';
import * as clientDevices from '../../model/devices/client-devices.ts';
import * as queries from '../../model/devices/queries.ts';
import {
  attemptToRegister,
  register,
  registerAndSettle,
  registrationJob,
  unreached,
} from './bouncer-registration.ts';
import { endTokens } from './client-devices.ts';
import { type DeviceChange, emitFailed, endDevices } from './end-devices.ts';
import { enqueueRemovals } from './remove-from-bouncer.ts';

const Registration = z.object({
  realm_id: RealmId,
  device_id: z.int(),
  bouncer_public_key: z.string(),
  /** Only the bouncer can open it. Stored only in the job. */
  encrypted_push_registration: z.string(),
  /** Another account has registered with the same box. */
  isOfAnother: z.boolean().default(false),
});
type Registration = z.output<typeof Registration>;

/**
 * Registers a device of levels 406 to 467 with the bouncer and sends its user the result as a `push_device`
 * event.
 */
export const registerWithBouncer = job<Registration>({
  ...registrationJob,
  name: 'register_with_bouncer',
  payload: Registration,
  async run(payload, app, { signal }) {
    const device = await queries.pendingDevice(app.db.kysely, payload);
    if (!device) return done();
    return attemptToRegister(app, {
      device_id: payload.device_id,
      run: () =>
        registerAndSettle(
          app,
          { id: device.user_id, realm_id: payload.realm_id },
          {
            ask: () => registerAccount(app, { ...payload, ...device, signal }),
            settle: (change, registered) =>
              activateAndEmit(app, change, { ...payload, ...registered }),
          },
        ),
      refuse: (tx, failure) => failAndEmit(app, payload, failure)(tx),
    });
  },
  onDead: (tx, { payload }, app) => failAndEmit(app, payload, unreached)(tx),
});

interface RegistrationRequest extends Registration {
  readonly push_account_id: PushAccountId;
  readonly token_kind: TokenKind;
  readonly signal: AbortSignal;
}

interface RegisteredDevice {
  readonly bouncer_device_id: number;
  /** The bouncer's ids of other devices of the realm with the same token. */
  readonly sameToken: readonly number[];
}

/** Throws BAD_REQUEST if the box belongs to another account. */
async function registerAccount(
  app: JobApp,
  { signal, realm_id, isOfAnother, ...registration }: RegistrationRequest,
): Promise<RegisteredDevice> {
  if (isOfAnother)
    throw badRequest(
      'Another account has registered with this encrypted_push_registration: make a new one for each account',
    );
  const { uuid } = await app.realms.byId(realm_id);
  const { push_account_id, token_kind, bouncer_public_key, encrypted_push_registration } =
    registration;
  const { device_id, same_token_device_ids } = await register(
    app,
    {
      realm_uuid: uuid,
      push_account_id,
      token_kind,
      bouncer_public_key,
      encrypted_push_registration,
    },
    signal,
  );
  if (device_id === undefined)
    throw new Error('The bouncer named no device_id for a device that has a push_account_id');
  return { bouncer_device_id: device_id, sameToken: same_token_device_ids };
}

/** Makes the device failed and emits the event, in the transaction that ends the job. */
const failAndEmit =
  (app: JobApp, device: queries.DeviceKey, failure: queries.DeviceFailure) =>
  (tx: Tx): Promise<void> =>
    app.changeIn(tx, { id: device.realm_id }, async ({ db, emit }) => {
      const row = await queries.settle(db, device, failure);
      if (!row) return;
      app.realms.changed(db);
      emitFailed(emit, [row], failure);
    });

/**
 * Makes the device active and emits the event. Of the user's devices with the same token only the newest
 * stays: the phone has a new account or key, and would get pushes twice. So has one that registered
 * by device_id before.
 */
async function activateAndEmit(
  app: JobApp,
  { db, emit }: DeviceChange,
  device: queries.DeviceKey & RegisteredDevice,
): Promise<void> {
  const { bouncer_device_id, realm_id } = device;
  const row = await queries.settle(db, device, { bouncer_device_id });
  // The device was ended meanwhile.
  if (!row) return enqueueRemovals(db, realm_id, [bouncer_device_id]);
  app.realms.changed(db);
  const owner = { id: row.user_id, realm_id };
  const others = await queries.byBouncerIds(db, owner, device.sameToken);
  const registered = { id: device.device_id, bouncer_device_id };
  const holders = [registered, ...others];
  // The bouncer may get an older registration last, after an outage.
  const newest = Math.max(...holders.map(({ id }) => id));
  const push_account_id = String(row.push_account_id);
  if (newest === registered.id)
    emit({ type: 'push_device', push_account_id, status: 'active' }, [row.user_id]);
  const replaced = holders.filter(({ id }) => id !== newest);
  await endDevices({ db, emit }, { id: realm_id }, replaced, 'replaced');
  const byToken = await clientDevices.byBouncerIds(db, owner, device.sameToken);
  await endTokens({ db, emit }, realm_id, byToken, { forgets: true });
}

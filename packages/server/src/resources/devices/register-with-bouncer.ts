import { done } from '@bellhop/jobs';
import {
  badRequest,
  type PushAccountId,
  PushDeviceError,
  RealmId,
  type TokenKind,
  type UserId,
} from '@bellhop/protocol';
import { z } from 'zod';

import { ApiError } from '../../engine/api-error.ts';
import type { JobApp } from '../../engine/app.ts';
import type { Change, Db, Tx } from '../../engine/call.ts';
import { job } from '../../engine/job.ts';
import {
  type BouncerFailure,
  failureOf,
  logFailure,
  retryAfter,
} from '../../model/devices/bouncer-failure.ts';
import { oneLine } from '../../model/devices/message-push/cut-text.ts';
import * as queries from '../../model/devices/queries.ts';
import * as users from '../../model/users/queries.ts';
import { announce } from './announce-realms.ts';
import { emitFailed, endDevices } from './end-devices.ts';
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

/** Seconds between attempts: a day in all, after which the bouncer rejects the registration as expired. */
const schedule = [2, 5, 15, 60, 300, ...Array<number>(97).fill(900)];

/** Registers a device with the bouncer and sends its user the result as a `push_device` event. */
export const registerWithBouncer = job<Registration>({
  name: 'register_with_bouncer',
  payload: Registration,
  lane: 'bouncer',
  retry: schedule,
  timeoutMs: 70_000,
  async run(payload, app, { signal }) {
    const device = await queries.pendingDevice(app.db.kysely, payload);
    if (!device) return done();
    try {
      await registerAndSettle(app, { ...payload, ...device, signal });
      return done();
    } catch (error) {
      const failure = failureOf(error);
      if (failure.kind === 'refused') {
        app.log.warn(
          { device_id: payload.device_id, reason: failure.reason },
          'push bouncer: a device was refused',
        );
        const refusal = refusalOf(failure);
        return done({
          result: { error_code: refusal.error_code },
          write: failAndEmit(app, payload, refusal),
        });
      }
      logFailure(app, failure, 'a device could not be registered yet');
      return retryAfter(failure);
    }
  },
  onDead: (tx, { payload }, app) => failAndEmit(app, payload, unreached)(tx),
});

/**
 * Repeats the request if another device of the user became active meanwhile: the answer may not name it,
 * although it has the same token. The bouncer answers a repeated request alike.
 */
async function registerAndSettle(
  app: JobApp,
  registration: RegistrationRequest & { readonly user_id: UserId },
): Promise<void> {
  const owner = { id: registration.user_id, realm_id: registration.realm_id };
  const activeIds = async (db: Db) => (await queries.activeDevices(db, owner)).map(({ id }) => id);
  for (let isSettled = false; !isSettled;) {
    const known = new Set(await activeIds(app.db.kysely));
    const registered = await register(app, registration);
    isSettled = await app.change({ id: owner.realm_id }, async (change) => {
      await users.lock(change.db, owner);
      if ((await activeIds(change.db)).some((id) => !known.has(id))) return false;
      await activateAndEmit(app, change, { ...registration, ...registered });
      return true;
    });
  }
}

/** After the last attempt. The log has the reason of each one, for the administrators. */
const unreached: queries.DeviceFailure = {
  error_code: 'REQUEST_EXPIRED',
  error_message:
    'The push service could not register the device for a day: register again, and ask an administrator if that fails, too',
};

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

/**
 * Throws BAD_REQUEST if the box belongs to another account, or if it holds a token of another kind
 * than the registration of the phone names.
 */
async function register(
  app: JobApp,
  { signal, ...registration }: RegistrationRequest,
): Promise<RegisteredDevice> {
  const { bouncer } = app;
  if (registration.isOfAnother)
    throw badRequest(
      'Another account has registered with this encrypted_push_registration: make a new one for each account',
    );
  if (!bouncer) throw new Error('The server is no longer configured to use a push bouncer');
  const { uuid } = await app.realms.byId(registration.realm_id);
  const request = () =>
    bouncer.push.register(
      {
        realm_uuid: uuid,
        push_account_id: registration.push_account_id,
        token_kind: registration.token_kind,
        bouncer_public_key: registration.bouncer_public_key,
        encrypted_push_registration: registration.encrypted_push_registration,
      },
      { signal },
    );
  const registered = await request().catch(async (error: unknown) => {
    if (!isUnknownToBouncer(error)) throw error;
    await announce(app, signal);
    return request();
  });
  const { device_id, token_kind = registration.token_kind, same_token_device_ids } = registered;
  if (token_kind !== registration.token_kind)
    throw badRequest(
      `token_kind of the encrypted registration is ${token_kind}, not ${registration.token_kind}`,
    );
  return { bouncer_device_id: device_id, sameToken: same_token_device_ids };
}

const isUnknownToBouncer = (error: unknown) =>
  error instanceof ApiError && (error.status === 401 || error.code === 'MISSING_REMOTE_REALM');

const MAX_MESSAGE_LENGTH = 500;

/** The error that the user of the phone gets: BAD_REQUEST for a code that the API does not know. */
function refusalOf({ code, message = '' }: BouncerFailure): queries.DeviceFailure {
  const known = PushDeviceError.safeParse(code);
  // A bouncer may send what cannot be stored.
  const line = oneLine(message, MAX_MESSAGE_LENGTH);
  return {
    error_code: known.success ? known.data : 'BAD_REQUEST',
    error_message: line === '' ? 'The push service gave no reason' : line,
  };
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
 * stays: the phone has a new account or key, and would get pushes twice.
 */
async function activateAndEmit(
  app: JobApp,
  { db, emit }: Pick<Change<'push_device'>, 'db' | 'emit'>,
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
}

import { done, job } from '@bellhop/jobs';
import { ApiError, type PushAccountId, PushDeviceError, RealmId } from '@bellhop/protocol';
import { z } from 'zod';

import type { App } from '../../engine/app.ts';
import type { Tx } from '../../engine/call.ts';
import { announce } from './announce-realms.ts';
import { type BouncerFailure, failureOf, logFailure, retryAfter } from './bouncer-failure.ts';
import * as queries from './queries.ts';

const Registration = z.object({
  realm_id: RealmId,
  device_id: z.int(),
  bouncer_public_key: z.string(),
  /** Only the bouncer can open it. Stored only in the job. */
  encrypted_push_registration: z.string(),
});
type Registration = z.output<typeof Registration>;

/** Seconds between attempts: a day in all, after which the bouncer rejects the registration as expired. */
const schedule = [2, 5, 15, 60, 300, ...Array<number>(97).fill(900)];

/** Registers a device with the bouncer and sends its user the result as a `push_device` event. */
export const registerWithBouncer = job<Registration, App>({
  name: 'register_with_bouncer',
  payload: Registration,
  lane: 'bouncer',
  retry: schedule,
  timeoutMs: 70_000,
  async run(payload, app, { signal }) {
    const account = await queries.pendingAccount(app.db.kysely, payload);
    if (account === undefined) return done();
    try {
      const bouncer_device_id = await register(app, { ...payload, account, signal });
      return done({ write: settleAndEmit(app, payload, { bouncer_device_id }) });
    } catch (error) {
      const failure = failureOf(error);
      if (failure.kind === 'refused') {
        // The phone learns only the code: what to mend, its clock for instance, is in the reason.
        app.log.warn(
          { device_id: payload.device_id, reason: failure.reason },
          'push bouncer: a device was refused',
        );
        const error_code = deviceErrorOf(failure);
        return done({
          result: { error_code },
          write: settleAndEmit(app, payload, { error_code }),
        });
      }
      logFailure(app, failure, 'a device could not be registered yet');
      return retryAfter(failure);
    }
  },
  onDead: (tx, { payload }, app) =>
    settleAndEmit(app, payload, { error_code: 'REQUEST_EXPIRED' })(tx),
});

interface RegistrationRequest extends Registration {
  readonly account: PushAccountId;
  readonly signal: AbortSignal;
}

async function register(
  app: App,
  { signal, ...registration }: RegistrationRequest,
): Promise<number> {
  const { bouncer } = app;
  if (!bouncer) throw new Error('The server is no longer configured to use a push bouncer');
  const { uuid } = await app.realms.byId(registration.realm_id);
  const request = () =>
    bouncer.push.register(
      {
        realm_uuid: uuid,
        push_account_id: registration.account,
        bouncer_public_key: registration.bouncer_public_key,
        encrypted_push_registration: registration.encrypted_push_registration,
      },
      { signal },
    );
  const { device_id } = await request().catch(async (error: unknown) => {
    if (!isUnknownToBouncer(error)) throw error;
    await announce(app, signal);
    return request();
  });
  return device_id;
}

const isUnknownToBouncer = (error: unknown) =>
  error instanceof ApiError && (error.status === 401 || error.code === 'MISSING_REMOTE_REALM');

/** The error code for the phone; BAD_REQUEST for a code that the API does not know. */
function deviceErrorOf({ code }: BouncerFailure) {
  const known = PushDeviceError.safeParse(code);
  return known.success ? known.data : 'BAD_REQUEST';
}

/** Makes the device active or failed and emits the event, in the transaction that ends the job. */
const settleAndEmit =
  (app: App, device: queries.DeviceKey, result: Parameters<typeof queries.settle>[2]) =>
  (tx: Tx): Promise<void> =>
    app.changeIn(tx, { id: device.realm_id }, async ({ db, emit }) => {
      const row = await queries.settle(db, device, result);
      if (!row) return;
      app.realms.changed(tx);
      const push_account_id = String(row.push_account_id);
      emit(
        'error_code' in result
          ? {
              type: 'push_device',
              push_account_id,
              status: 'failed',
              error_code: result.error_code,
            }
          : { type: 'push_device', push_account_id, status: 'active' },
        [row.user_id],
      );
    });

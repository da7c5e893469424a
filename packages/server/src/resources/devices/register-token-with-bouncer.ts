import { done } from '@bellhop/jobs';
import { RealmId, TokenId, TokenKind } from '@bellhop/protocol';
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
import { type DeviceChange, endDevices } from './end-devices.ts';
import { enqueueRemovals, REPLACED_TOKEN_MS } from './remove-from-bouncer.ts';

const Registration = z.object({
  realm_id: RealmId,
  device_id: z.int(),
  registration: z.int(),
  token_id: TokenId,
  token_kind: TokenKind,
  bouncer_public_key: z.string(),
  /** Only the bouncer can open it. Stored only in the job. */
  encrypted_push_registration: z.string(),
});
type Registration = z.output<typeof Registration>;

/**
 * Registers a token of a device of level 468 or later with the bouncer and sends its user the result as a
 * `device` event. Of a token that was registered before nobody hears anything: the bouncer has its
 * newer registration now, or keeps the one that it has.
 */
export const registerTokenWithBouncer = job<Registration>({
  ...registrationJob,
  name: 'register_token_with_bouncer',
  payload: Registration,
  async run(payload, app, { signal }) {
    const user = await clientDevices.userOf(app.db.kysely, payload);
    if (user === undefined) return done();
    return attemptToRegister(app, {
      device_id: payload.device_id,
      run: () =>
        registerAndSettle(
          app,
          { id: user, realm_id: payload.realm_id },
          {
            ask: () => registerToken(app, payload, signal),
            settle: (change, registered) => acceptAndEmit(app, change, payload, registered),
          },
        ),
      refuse: (tx, failure) => refuseAndEmit(app, payload, failure)(tx),
    });
  },
  onDead: (tx, { payload }, app) => refuseAndEmit(app, payload, unreached)(tx),
});

async function registerToken(app: JobApp, payload: Registration, signal: AbortSignal) {
  const { realm_id, token_id, token_kind, bouncer_public_key, encrypted_push_registration } =
    payload;
  const { uuid } = await app.realms.byId(realm_id);
  return register(
    app,
    { realm_uuid: uuid, token_id, token_kind, bouncer_public_key, encrypted_push_registration },
    signal,
  );
}

type Registered = Awaited<ReturnType<typeof registerToken>>;

/**
 * Makes the token that of the device, and emits the event. A phone gets each push of a user once: if it
 * registered by push_account_id before, that registration ends, and of the user's devices with the token
 * only the newest keeps it. The others are those of former logins, whose removal did not arrive.
 */
async function acceptAndEmit(
  app: JobApp,
  { db, emit }: DeviceChange,
  payload: Registration,
  registered: Registered,
): Promise<void> {
  const { realm_id, device_id, token_id, token_kind } = payload;
  const bouncer_device_id = registered.device_id ?? null;
  const push_token_id = Buffer.from(token_id, 'base64');
  const token = { push_token_id, token_kind, bouncer_device_id };
  const accepted = await clientDevices.accept(db, payload, token);
  // The device is gone, or registers again: the later job names its token to the bouncer.
  if (!accepted) return enqueueRemovals(db, realm_id, idsOf(bouncer_device_id));
  app.realms.changed(db);
  const { user_id, former, was_pending } = accepted;
  if (was_pending) {
    const event = { type: 'device', op: 'update', device_id } as const;
    emit({ ...event, push_token_id: token_id, pending_push_token_id: null }, [user_id]);
  }
  if (former !== bouncer_device_id)
    await enqueueRemovals(db, realm_id, idsOf(former), REPLACED_TOKEN_MS);
  const owner = { id: user_id, realm_id };
  const replaced = await queries.byBouncerIds(db, owner, registered.same_token_device_ids);
  await endDevices({ db, emit }, { id: realm_id }, replaced, 'replaced');
  const [, ...formerLogins] = await clientDevices.holdersOf(
    db,
    owner,
    push_token_id,
    registered.same_token_device_ids,
  );
  await endTokens({ db, emit }, realm_id, formerLogins, { forgets: true });
}

const idsOf = (id: number | null): number[] => (id === null ? [] : [id]);

/** Stores the refusal and emits the event, in the transaction that ends the job. */
const refuseAndEmit =
  (app: JobApp, device: clientDevices.ClientRegistration, failure: queries.DeviceFailure) =>
  (tx: Tx): Promise<void> =>
    app.changeIn(tx, { id: device.realm_id }, async ({ db, emit }) => {
      const user = await clientDevices.refuse(db, device, failure);
      if (user === undefined) return;
      const { error_code, error_message } = failure;
      emit(
        {
          type: 'device',
          op: 'update',
          device_id: device.device_id,
          push_registration_error_code: error_code,
          error_message,
        },
        [user],
      );
    });
